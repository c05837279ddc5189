//! The trainer: repeats and resumes to the bit, sees what the engine sees, and exports what it has learned.

use std::path::{Path, PathBuf};

use hagane::nnue;
use hagane::position::Board;
use hagane::training::data::phase::phase;
use hagane::training::data::record::Psv;
use hagane::training::data::shard;
use hagane::training::data::source;
use hagane::training::fit::batch::{Batch, Blend};
use hagane::training::fit::inputs::Inputs;
use hagane::training::fit::loss::{Power, expectation};
use hagane::training::fit::settings::FitSettings;
use hagane::training::fit::shape::Shape;
use hagane::training::fit::{self, Start, checkpoint, export, import};
use hagane::types::Color;

use super::{generate_some, on_threads, some_games, train};

/// A folder with a shard or two of games, for the trainer.
fn data(folder: &Path, games: u64) -> Vec<PathBuf> {
    generate_some(folder, games, 2, u64::MAX);
    source::files(&[folder.to_owned()]).unwrap()
}

fn quick(shape: Shape, files: Vec<PathBuf>) -> FitSettings {
    let mut settings = FitSettings::new(shape, files);
    settings.batch = 256;
    settings.warm_up = 1000;
    settings.interval = 1000;
    settings.validation = 8;
    settings.epochs = 3;
    settings
}

/// A run of the trainer on some threads that is stopped after every so many batches and goes on from its checkpoint.
fn fit_in_pieces(
    settings: &FitSettings,
    out: &Path,
    threads: usize,
    stop_at: u64,
) -> (Vec<u8>, Vec<fit::curve::Point>) {
    on_threads(threads, || {
        let mut from = None;
        loop {
            let mut batches = 0;
            let fitted = fit::run(settings, from.take(), out, |_| {
                batches += 1;
                batches < stop_at
            })
            .unwrap();
            if let Some(network) = fitted.network {
                return (export::export(&network, "test"), fitted.curve);
            }
            let (start, kept) = Start::resume(&out.join(fit::CHECKPOINT)).unwrap();
            assert_eq!(&kept, settings);
            from = Some(start);
        }
    })
}

#[test]
fn training_repeats_and_resumes_to_the_bit() {
    let folder = tempfile::tempdir().unwrap();
    let files = data(&folder.path().join("games"), 40);
    let mut settings = quick(Shape::own(128), files);
    // A buffer smaller than the data: the epoch takes several fillings.
    settings.buffer = 500;
    for factoriser in [0.0, 1.0] {
        settings.factoriser = factoriser;
        let path = |name: &str| folder.path().join(format!("{name} {factoriser}"));
        let (file, curve) = fit_in_pieces(&settings, &path("whole"), 1, u64::MAX);
        assert!(curve.len() >= 3);
        assert!(curve.last().unwrap().training < curve[0].training, "{curve:?}");
        let again = fit_in_pieces(&settings, &path("again"), 2, u64::MAX);
        assert!(file == again.0 && curve == again.1);
        let pieces = fit_in_pieces(&settings, &path("pieces"), 1, 5);
        assert!(file == pieces.0);
        for name in ["curve.csv", "curve.svg", fit::CHECKPOINT] {
            let whole = std::fs::read(path("whole").join(name)).unwrap();
            assert!(whole == std::fs::read(path("pieces").join(name)).unwrap(), "{name}");
        }
    }
}

/// With shared rows and averaged weights, and without either.
#[test]
fn checkpoints_of_another_length_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let files = data(&folder.path().join("games"), 12);
    let mut settings = quick(Shape::own(128), files);
    settings.epochs = 1;
    for (name, factoriser, whole) in [("whole", 0.5, true), ("stopped", 0.0, false)] {
        settings.factoriser = factoriser;
        let out = folder.path().join(name);
        let fitted = fit::run(&settings, None, &out, |_| whole).unwrap();
        assert_eq!(fitted.network.is_some(), whole);
        let path = out.join(fit::CHECKPOINT);
        let bytes = std::fs::read(&path).unwrap();
        assert!(checkpoint::parse(&path, &bytes).is_ok());
        for other in [&bytes[..bytes.len() - 4], &[&bytes[..], &[0; 4]].concat()] {
            assert!(checkpoint::parse(&path, other).is_err());
        }
    }
}

#[test]
fn decay_makes_rows_small_and_leaves_biases() {
    let folder = tempfile::tempdir().unwrap();
    let mut settings = quick(Shape::own(128), data(&folder.path().join("games"), 12));
    let [(rows_before, biases_before), (rows, biases)] = [0.0, 300.0].map(|row_decay| {
        settings.row_decay = row_decay;
        let fitted = fit::run(&settings, None, &folder.path().join(row_decay.to_string()), |_| true);
        let tile = &fitted.unwrap().network.unwrap().tiles[0];
        let size = |values: &[f32]| values.iter().map(|value| value.abs()).sum::<f32>();
        (size(&tile.weights), size(&tile.biases))
    });
    assert!(rows < 0.9 * rows_before, "{rows} {rows_before}");
    assert!((biases / biases_before - 1.0).abs() < 0.1, "{biases} {biases_before}");
}

/// The checkpoint has the weights after the last batch.
#[test]
fn the_network_has_the_mean_weights_of_the_last_quarter() {
    let folder = tempfile::tempdir().unwrap();
    let mut settings = quick(Shape::own(128), data(&folder.path().join("games"), 12));
    settings.batch = 32;
    let mut done = Vec::new();
    let fitted = fit::run(&settings, None, folder.path(), |progress| {
        done.push(progress.done);
        true
    });
    assert!(done.iter().filter(|&&done| done >= 0.75).count() > 3, "{done:?}");
    let mean = fitted.unwrap().network.unwrap();
    let mut last = checkpoint::load(&folder.path().join(fit::CHECKPOINT)).unwrap().network;
    last.clear_unseen_rows();
    let (mut apart, mut largest) = (0.0f32, 0.0f32);
    for (mean, last) in mean.parameters().flatten().zip(last.parameters().flatten()) {
        apart = apart.max((mean - last).abs());
        largest = largest.max(last.abs());
    }
    assert!(apart > 0.0 && apart < 0.3 * largest, "{apart} of {largest}");
}

#[test]
fn fit_refuses_impossible_settings() {
    let folder = tempfile::tempdir().unwrap();
    let games = shard::encode(&some_games()).unwrap();
    std::fs::write(folder.path().join("a.shard"), games).unwrap();
    for (arguments, complaint) in [
        ("--factoriser=-1", "--factoriser must be 0 to 100, not -1"),
        ("--factoriser nan", "--factoriser must be 0 to 100, not NaN"),
        ("--factoriser inf", "--factoriser must be 0 to 100, not inf"),
        ("--factoriser 1 --architecture halfkp", "own architecture only"),
        ("--row-decay=-1000", "--row-decay times --rate must be 0 to below 1, not -1"),
        ("--row-decay 20 --rate 0.1", "--row-decay times --rate must be 0 to below 1, not 2"),
        ("--row-decay nan", "--row-decay times --rate must be 0 to below 1, not NaN"),
    ] {
        let (success, said) = train(folder.path(), &format!("fit a.shard -o out {arguments}"));
        assert!(!success && said.contains(complaint), "{said}");
    }
}

#[test]
fn exported_integers_say_what_the_trained_network_says() {
    let folder = tempfile::tempdir().unwrap();
    let files = data(&folder.path().join("games"), 20);
    for (shape, power) in [(Shape::own(128), Power::FiveHalves), (Shape::HALFKP, Power::ThreeHalves)] {
        let mut settings = quick(shape, files.clone());
        settings.epochs = 1;
        settings.power = power;
        let fitted = fit::run(&settings, None, folder.path(), |_| true).unwrap();
        let mut network = fitted.network.unwrap();
        let file = export::export(&network, "a test");
        let loaded = nnue::Network::from_bytes(&file).unwrap();
        assert!(loaded.description().contains("a test"));
        assert!(!fitted.validation.is_empty());
        let blend = settings.blend();
        let float = fit::mean_loss(&mut network, &settings, &fitted.validation).unwrap().unwrap();
        let check = export::check(&mut network, &file, &fitted.validation, blend).unwrap().unwrap();
        assert!(check.difference < 12.0, "{shape:?}: {check:?}");
        assert!((check.loss - float).abs() < 0.02 * float, "{float} {check:?}");
        // What was exported can be trained on: nothing but the rounding is lost.
        let again = import::import(&file);
        if shape == Shape::HALFKP {
            assert!(again.is_err());
        } else {
            assert!(export::export(&again.unwrap(), "a test") == file);
        }
    }
}

/// The trainer's rows and stacks are those that the engine's own format defines.
#[test]
fn trainer_and_engine_see_the_same_inputs() {
    let file = export::export(&fit::network::Network::new(Shape::own(128), 1), "");
    let parameters = nnue::hagane_nn::Parameters::from_bytes(&file).unwrap();
    for game in some_games().iter().take(6) {
        let mut position = shard::start_position(&game.start).unwrap();
        for &mv in &game.moves {
            let board = Board::from(&position);
            for color in Color::ALL {
                let mut rows = [0; 40];
                Inputs::PieceSquare.active(&board, color, &mut rows);
                let mut rows: Vec<usize> = rows.iter().map(|&row| row as usize).filter(|&row| row < 2344).collect();
                let mut expected = parameters.active_inputs(&board, color);
                rows.sort_unstable();
                expected.sort_unstable();
                assert_eq!(rows, expected);
            }
            assert_eq!(phase(&board), parameters.bucket(nnue::phase(&board)));
            position.do_move(mv);
        }
    }
}

#[test]
fn batches_keep_every_position_with_its_target() {
    let games = some_games();
    let mut records = Vec::new();
    let path = tempfile::tempdir().unwrap();
    let file = path.path().join("a.shard");
    std::fs::write(&file, shard::encode(&games).unwrap()).unwrap();
    source::read(&file, |labelled, _| records.push(Psv::encode(&labelled).unwrap())).unwrap();
    let batch = Batch::new(&records, &Shape::own(128), Blend { lambda: 0.0, scale: 400.0, power: Power::Two }).unwrap();
    assert_eq!(batch.len(), records.len());
    assert_eq!(batch.stack_sizes.iter().sum::<usize>(), records.len());
    for (index, &origin) in batch.origin.iter().enumerate() {
        let record = &records[origin as usize];
        let target = match record.result() {
            // A draw says nothing: there the score counts, whatever its weight.
            0 => expectation(f32::from(record.score()), 400.0),
            result => (f32::from(result) + 1.0) / 2.0,
        };
        assert_eq!(batch.targets[index], target);
    }
}

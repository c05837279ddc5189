//! Files of any content: an error that says what is wrong, or a network.

use hagane::engine::{INTERNAL, NetworkChoice};
use hagane::nnue::hagane_nn::Parameters;
use hagane::nnue::{FeatureKind, Network};
use hagane::position::{Board, Position};
use hagane::types::Color;

use crate::reference::{self, Stream, file, plain, sfnn};

/// Small files of the three kinds.
fn small() -> [Vec<u8>; 3] {
    [
        file(&plain(FeatureKind::KP, 32, 8, 8), "Features=K+P", false, false),
        file(&sfnn(FeatureKind::KP, 64, 7, 32, 9), "SFNN_KP_64_7_32_K3K3{LayerStack=9}", true, false),
        reference::own(64, 8, 8, 1, &[3, 9]).to_bytes(),
    ]
}

fn reason(bytes: &[u8]) -> String {
    match Network::from_bytes(bytes) {
        Ok(network) => panic!("loaded as {}", network.architecture()),
        Err(error) => error.to_string(),
    }
}

#[test]
fn every_prefix_is_refused() {
    for bytes in small() {
        assert!(Network::from_bytes(&bytes).is_ok());
        for length in 0..bytes.len() {
            assert!(!reason(&bytes[..length]).is_empty());
        }
    }
}

#[test]
fn mutated_files_give_an_error_or_a_network() {
    let board = Board::from(&Position::startpos());
    let files = small();
    let mut random = Stream::new();
    let (mut loaded, mut refused) = (0, 0);
    for round in 0..100_000 {
        let whole = &files[round % 3];
        let mut bytes = whole.clone();
        for _ in 0..random.next((1, 4)) {
            // Mostly the beginning, where sizes are.
            let limit = if random.next((0, 3)) > 0 { 160 } else { bytes.len() as i64 };
            let at = random.next((0, limit.min(bytes.len() as i64) - 1)) as usize;
            match random.next((0, 5)) {
                0 => bytes[at] ^= 1 << random.next((0, 7)),
                1 => bytes[at] = random.next((0, 255)) as u8,
                2 => bytes.truncate(at.max(1)),
                3 => drop(bytes.remove(at)),
                4 => bytes.insert(at, random.next((0, 255)) as u8),
                _ => bytes[at] = [0, 0x7f, 0x80, 0xff][random.next((0, 3)) as usize],
            }
            if bytes.is_empty() {
                bytes.push(0);
            }
        }
        // The own format's checksum would refuse nearly all: make it right in half of the cases.
        if round % 6 == 2 && bytes.len() > 8 {
            let end = bytes.len() - 8;
            let sum = checksum(&bytes[..end]);
            bytes[end..].copy_from_slice(&sum.to_le_bytes());
        }
        match Network::from_bytes(&bytes) {
            Ok(network) => {
                if loaded % 16 == 0 {
                    network.evaluate_board(&board);
                }
                loaded += 1;
            }
            Err(error) => {
                assert!(!error.to_string().is_empty());
                refused += 1;
            }
        }
    }
    assert!(loaded > 1000 && refused > 10_000, "{loaded} loaded, {refused} refused");
}

/// The own format's checksum, from its description.
fn checksum(bytes: &[u8]) -> u64 {
    let mut hash = 0xCBF2_9CE4_8422_2325u64;
    for chunk in bytes.chunks(8) {
        let mut word = [0; 8];
        word[..chunk.len()].copy_from_slice(chunk);
        hash = (hash ^ u64::from_le_bytes(word)).wrapping_mul(0x0000_0100_0000_01B3);
    }
    hash
}

#[test]
fn a_file_is_recognised_by_its_size_whatever_its_text_says() {
    let lie = "Features=HalfKP(Friend)[125388->256x2],Network=AffineTransform[1<-32]";
    let architecture = plain(FeatureKind::KP, 512, 16, 32);
    let network = Network::from_bytes(&file(&architecture, lie, false, false)).unwrap();
    assert_eq!(network.architecture(), architecture);
    assert_eq!(network.description(), lie);
}

#[test]
fn uncompressed_sfnn_files_load_as_well() {
    let text = "ModelType=SFNNWithoutPsqt;Features=K+P[1710->64x2],Network=SFNN_KP_64_7_32_K3K3{LayerStack=9}";
    let architecture = sfnn(FeatureKind::KP, 64, 7, 32, 9);
    let [raw, compressed] =
        [false, true].map(|compressed| Network::from_bytes(&file(&architecture, text, compressed, false)).unwrap());
    let board = Board::from(&Position::startpos());
    let values = [raw, compressed].map(|network| network.evaluate_board(&board));
    assert_eq!(values[0], values[1]);
}

#[test]
fn reasons_name_the_culprit() {
    let [kp, layered, own] = small();
    let cut = reason(&kp[..kp.len() - 5]);
    assert!(cut.contains(&format!("truncated at byte {}", kp.len() - 5)) && cut.contains("K+P 32x2-8-8"), "{cut}");
    let long = reason(&[&kp[..], &[0; 3]].concat());
    assert!(long.contains("3 trailing bytes"), "{long}");
    let cut = reason(&layered[..layered.len() - 100]);
    assert!(cut.contains("truncated at byte") && cut.contains("100 more bytes"), "{cut}");
    let long = reason(&[&layered[..], &[0; 7]].concat());
    assert!(long.contains("7 trailing bytes"), "{long}");
    let mut other = kp.clone();
    other[0] = 0x15;
    assert!(reason(&other).contains("wrong version 7AF32F15"));
    let mut unknown = kp[..12].to_vec();
    unknown[4..12].fill(0);
    unknown.extend([0; 1000]);
    assert!(reason(&unknown).contains("unknown architecture") && reason(&unknown).contains("1012"));
    let mut torn = own.clone();
    torn[5000] ^= 1;
    assert!(reason(&torn).contains("checksum"));
    assert!(reason(&own[..own.len() - 9]).contains("9 more bytes"));
    assert!(reason(b"").contains("truncated at byte 0"));
}

#[test]
fn own_parameters_survive_their_file() {
    let parameters = reference::own(128, 16, 32, 3, &[2, 9, 20]);
    assert_eq!(Parameters::from_bytes(&parameters.to_bytes()).unwrap(), parameters);
    // A file of another kind is not one of another version of this kind.
    let error = Parameters::from_bytes(&[0x16; 64]).unwrap_err();
    assert!(error.to_string().contains("wrong version 16161616"));
}

/// The trainer's list of inputs is what inference adds up.
#[test]
fn active_inputs_are_those_of_inference() {
    let mut parameters = reference::own(64, 8, 8, 3, &[]);
    let sfen = "l4S2l/4g1gs1/5p1p1/pr2N1pkp/4Gn3/PP3PPPP/2GPP4/1K7/L3r+s2L w BS2N5Pb 1";
    let board = Board::from(&Position::from_sfen(sfen).unwrap());
    let with = |parameters: &Parameters| Network::from_parameters(parameters).unwrap().evaluate_board(&board);
    let before = with(&parameters);
    let mut used = vec![false; parameters.weights.len() / 64];
    for color in Color::ALL {
        let inputs = parameters.active_inputs(&board, color);
        assert_eq!(inputs.len(), 40);
        inputs.into_iter().for_each(|input| used[input] = true);
    }
    for (row, used) in parameters.weights.chunks_exact_mut(64).zip(&used) {
        if !used {
            row.fill(777);
        }
    }
    assert_eq!(with(&parameters), before);
    // And each of them matters.
    let (at, _) = used.iter().enumerate().find(|(_, used)| **used).unwrap();
    parameters.weights[at * 64..][..64].fill(255);
    assert_ne!(with(&parameters), before);
}

#[test]
fn the_options_choose_and_complain_in_words() {
    let folder = std::env::temp_dir().join(format!("hagane-nnue-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join("nn.bin");
    let [kp, ..] = small();
    std::fs::write(&path, &kp).unwrap();
    let select = |eval_dir: &std::path::Path, eval_file: &str| {
        NetworkChoice { eval_dir: eval_dir.into(), eval_file: eval_file.into(), ..NetworkChoice::default() }.load()
    };
    let found = select(&folder, "");
    assert!(!found.failed && found.message.contains("K+P 32x2-8-8"), "{}", found.message);
    let named = select("nowhere".as_ref(), path.to_str().unwrap());
    assert!(!named.failed && named.network.is_some(), "{}", named.message);
    let internal = select(&folder, INTERNAL);
    assert!(!internal.failed, "{}", internal.message);
    let absent = select(&folder, "absent.bin");
    assert!(absent.failed && absent.message.contains("absent.bin"), "{}", absent.message);
    std::fs::write(&path, &kp[..1000]).unwrap();
    let torn = select(&folder, "");
    assert!(torn.failed && torn.message.contains("truncated at byte 1000"), "{}", torn.message);
    assert_eq!(torn.network.is_some(), internal.network.is_some());
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn an_explanation_adds_up_to_its_differences() {
    let network = Network::from_parameters(&reference::own(64, 8, 8, 1, &[])).unwrap();
    let sfen = "l4S2l/4g1gs1/5p1p1/pr2N1pkp/4Gn3/PP3PPPP/2GPP4/1K7/L3r+s2L w BS2N5Pb 1";
    let position = Position::from_sfen(sfen).unwrap();
    let explanation = network.explain(&position);
    let mut board = Board::from(&position);
    assert_eq!(explanation.value, network.evaluate_board(&board));
    let rook: hagane::types::Square = "8d".parse().unwrap();
    board.set(rook, None);
    let without = network.evaluate_board(&board);
    let share = explanation.contributions.iter().find(|share| share.square == Some(rook)).unwrap();
    assert_eq!(share.value, Some(without - explanation.value));
    assert_eq!(explanation.contributions.iter().filter(|share| share.value.is_none()).count(), 2);
    let text = explanation.to_string();
    assert!(text.contains("5 P (") && text.contains("white, the side to move"), "{text}");
}

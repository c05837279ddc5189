//! AdamW (Loshchilov and Hutter 2019) and the schedule of the learning rate.

use super::simd::vectorised;

const BETA1: f32 = 0.9;
/// Runs are some thousand steps long, and their gradients shrink a hundredfold: a longer memory would hold the first
/// ones to the end.
const BETA2: f32 = 0.99;
/// Small against the gradients of rare rows in large batches.
const EPSILON: f32 = 1e-12;
/// Moments below this are set to 0: decaying ones would become denormal numbers, which are slow.
const TINY: f32 = 1e-30;

/// What one update of a group of parameters needs to know.
#[derive(Clone, Copy, Debug)]
pub struct Update {
    /// The learning rate.
    pub rate: f32,
    /// How much of itself a parameter loses per unit of learning rate.
    pub decay: f32,
    /// Parameters are cut to ± this after the update.
    pub limit: f32,
    /// Which update of this group it is, from 1: corrects the moments' start at 0.
    pub step: u32,
}

/// Moves parameters against their gradient and clears the gradient.
///
/// The sparse layer calls it for the own rows that a batch touched only, each with its own step count ("lazy" Adam): a
/// rare row's moments do not decay while it is not seen.
pub fn adam_w(parameters: &mut [f32], gradient: &mut [f32], first: &mut [f32], second: &mut [f32], update: Update) {
    // Plain multiplication instead of powi keeps the bits the same everywhere.
    let unbias = |beta: f32| {
        let (mut power, mut base, mut exponent) = (1.0f64, beta as f64, update.step);
        while exponent > 0 {
            if exponent & 1 == 1 {
                power *= base;
            }
            base *= base;
            exponent >>= 1;
        }
        (1.0 / (1.0 - power)) as f32
    };
    let (scale1, scale2) = (unbias(BETA1), unbias(BETA2));
    let keep = 1.0 - update.rate * update.decay;
    let (length, limit) = (parameters.len(), update.limit);
    let (gradient, first, second) = (&mut gradient[..length], &mut first[..length], &mut second[..length]);
    vectorised(
        #[inline(always)]
        || {
            for i in 0..length {
                let g = gradient[i];
                gradient[i] = 0.0;
                let m = BETA1 * first[i] + (1.0 - BETA1) * g;
                let v = BETA2 * second[i] + (1.0 - BETA2) * g * g;
                let m = if m.abs() < TINY { 0.0 } else { m };
                let v = if v < TINY { 0.0 } else { v };
                first[i] = m;
                second[i] = v;
                let moved = parameters[i] * keep - update.rate * (m * scale1) / ((v * scale2).sqrt() + EPSILON);
                parameters[i] = moved.max(-limit).min(limit);
            }
        },
    );
}

/// The learning rate at the end of a run, as a share of its peak.
pub const LAST_RATE: f32 = 1e-5;

/// The learning rate at a point of the training: a linear warm-up, then half a cosine down to [`LAST_RATE`].
///
/// `progress` is the share of the training done (0..=1), `seen` and `warm_up` count positions.
pub fn learning_rate(peak: f32, progress: f32, seen: u64, warm_up: u64) -> f32 {
    let rise = if warm_up == 0 { 1.0 } else { (seen as f32 / warm_up as f32).min(1.0) };
    let course = 0.5 * (1.0 + (std::f64::consts::PI * progress as f64).cos()) as f32;
    peak * rise * (LAST_RATE + (1.0 - LAST_RATE) * course)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rate_rises_and_falls() {
        assert_eq!(learning_rate(2.0, 0.0, 0, 100), 0.0);
        assert_eq!(learning_rate(2.0, 0.0, 50, 100), 1.0);
        assert_eq!(learning_rate(2.0, 0.0, 100, 100), 2.0);
        assert!((learning_rate(2.0, 0.5, 500, 100) - 1.0).abs() < 1e-4);
        assert!((learning_rate(2.0, 1.0, 500, 100) - 2e-5).abs() < 1e-8);
        assert_eq!(learning_rate(2.0, 0.0, 0, 0), 2.0);
    }

    #[test]
    fn a_parabola_is_descended() {
        let (mut x, mut m, mut v) = ([5.0f32, -3.0], [0.0; 2], [0.0; 2]);
        for step in 1..=2000 {
            let mut g = [2.0 * (x[0] - 1.0), 2.0 * (x[1] + 4.0)];
            let update = Update { rate: 0.02, decay: 0.0, limit: 3.5, step };
            adam_w(&mut x, &mut g, &mut m, &mut v, update);
            assert_eq!(g, [0.0; 2]);
        }
        assert!((x[0] - 1.0).abs() < 0.01, "{x:?}");
        // Its minimum at -4 lies outside the limit.
        assert_eq!(x[1], -3.5);
    }
}

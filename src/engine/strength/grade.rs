//! Ratings, and the grades that people know (kyu negative, dan positive).
//!
//! Grades are estimates: no rated people have played these levels, and the scales of clubs and sites differ by two or
//! three grades. The estimate puts level 11 at 1 dan, 150 rating points between two dan, as on 81Dojo, and level 0 at
//! 15 kyu.

use super::ladder::FULL;
use super::table::LEVELS;

/// The rating of 1 dan.
const SHODAN: i32 = 1900;
/// Between two dan.
const DAN: i32 = 150;
/// Between two kyu.
const KYU: i32 = 103;

/// The rating of a grade: -15 for 15 kyu to 9 for 9 dan; 0, which is no grade, counts as 1 kyu.
pub fn elo_of_grade(grade: i32) -> i32 {
    if grade > 0 { SHODAN + DAN * (grade - 1) } else { SHODAN + KYU * grade.min(-1) }
}

/// The nearest grade of a rating.
pub fn grade_of_elo(elo: i32) -> i32 {
    let grades = (-15..=9).filter(|&grade| grade != 0);
    grades.min_by_key(|&grade| (elo_of_grade(grade) - elo).abs()).unwrap_or(1)
}

/// The level with a rating, between two levels where it lies between their ratings.
pub fn level_of_elo(elo: i32) -> f64 {
    let mut levels = LEVELS.iter().enumerate();
    let Some(above) = levels.position(|(_, row)| row.elo > elo) else {
        // Beyond the last level only full strength remains, which is no limit: the last level is the nearest.
        return f64::from(FULL - 1);
    };
    let Some(below) = above.checked_sub(1) else {
        return 0.0;
    };
    let (low, high) = (f64::from(LEVELS[below].elo), f64::from(LEVELS[above].elo));
    below as f64 + (f64::from(elo) - low) / (high - low)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn grades_ratings_and_levels_grow_together() {
        let grades: Vec<i32> = (-15..=9).filter(|&grade| grade != 0).collect();
        for pair in grades.windows(2) {
            assert!(elo_of_grade(pair[0]) < elo_of_grade(pair[1]));
            assert!(level_of_elo(elo_of_grade(pair[0])) <= level_of_elo(elo_of_grade(pair[1])));
            assert_eq!(grade_of_elo(elo_of_grade(pair[0])), pair[0]);
        }
        assert_eq!(elo_of_grade(0), elo_of_grade(-1));
        for (number, row) in (0..).zip(&LEVELS) {
            assert!((level_of_elo(row.elo) - f64::from(number)).abs() < 1e-9);
        }
        assert_eq!((level_of_elo(-9999), level_of_elo(9999)), (0.0, 19.0));
    }
}

//! Dates as pages write them, in one spelling.
//!
//! A time whose offset from UTC is known is written in UTC; of a time without offset the day is
//! kept. What is no day of the calendar is none.
//!
//! Source: ISO 8601 as WHATWG HTML and schema.org use it, RFC 5322 §3.3.

/// Years that a page can mean; others are defaults of software.
const YEARS: std::ops::RangeInclusive<i64> = 1_400..=2_199;

const MONTHS: [&str; 12] =
    ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

/// `YYYY-MM-DD`, or `YYYY-MM-DDThh:mm:ssZ` where the offset is known.
pub(super) fn normalised(written: &str) -> Option<String> {
    let written = written.trim();
    if written.len() > 64 {
        return None;
    }
    let (day, rest) = iso_day(written).or_else(|| mail_day(written))?;
    let time = time_of_day(rest.trim_start_matches(['T', 't', ' ', ',']));
    match time {
        Some((seconds, Some(offset_minutes))) => {
            let utc = day.number() * 86_400 + seconds - offset_minutes * 60;
            let day = Day::of_number(utc.div_euclid(86_400));
            let rest = utc.rem_euclid(86_400);
            if utc == 0 || !YEARS.contains(&day.year) {
                return None;
            }
            let (hour, minute, second) = (rest / 3_600, rest / 60 % 60, rest % 60);
            Some(format!("{}T{hour:02}:{minute:02}:{second:02}Z", day.text()))
        }
        Some((_, None)) => Some(day.text()),
        None if rest.is_empty() => Some(day.text()),
        None => None,
    }
}

struct Day {
    year: i64,
    month: i64,
    day: i64,
}

impl Day {
    fn new(year: i64, month: i64, day: i64) -> Option<Self> {
        let is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
        let days = match month {
            2 => 28 + i64::from(is_leap),
            4 | 6 | 9 | 11 => 30,
            1..=12 => 31,
            _ => return None,
        };
        let is_day = YEARS.contains(&year) && (1..=days).contains(&day);
        is_day.then_some(Day { year, month, day })
    }

    fn text(&self) -> String {
        format!("{:04}-{:02}-{:02}", self.year, self.month, self.day)
    }

    /// Days since 1970-01-01 in the Gregorian calendar; years begin in March here.
    fn number(&self) -> i64 {
        let year = if self.month > 2 { self.year } else { self.year - 1 };
        let month = (self.month + 9) % 12;
        let in_year = (153 * month + 2) / 5 + self.day - 1;
        year * 365 + year / 4 - year / 100 + year / 400 + in_year - 719_468
    }

    fn of_number(number: i64) -> Self {
        let number = number + 719_468;
        let era = number.div_euclid(146_097);
        let in_era = number.rem_euclid(146_097);
        let year = (in_era - in_era / 1_460 + in_era / 36_524 - in_era / 146_096) / 365;
        let in_year = in_era - (365 * year + year / 4 - year / 100);
        let month = (5 * in_year + 2) / 153;
        let day = in_year - (153 * month + 2) / 5 + 1;
        let (month, is_next) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
        Day { year: era * 400 + year + is_next, month, day }
    }
}

/// The number that the first `count` signs of `text` are, and the rest.
fn digits(text: &str, count: usize) -> Option<(i64, &str)> {
    let (number, rest) = text.split_at_checked(count)?;
    if !number.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    Some((number.parse().ok()?, rest))
}

/// `YYYY-MM-DD`, `YYYY/MM/DD` or `YYYYMMDD`, and what follows.
fn iso_day(text: &str) -> Option<(Day, &str)> {
    let (year, rest) = digits(text, 4)?;
    let sign = rest.chars().next().filter(|sign| matches!(sign, '-' | '/'));
    let rest = sign.map_or(Some(rest), |sign| rest.strip_prefix(sign))?;
    let (month, rest) = digits(rest, 2)?;
    let rest = sign.map_or(Some(rest), |sign| rest.strip_prefix(sign))?;
    let (day, rest) = digits(rest, 2)?;
    if rest.starts_with(|sign: char| sign.is_ascii_digit()) {
        return None;
    }
    Some((Day::new(year, month, day)?, rest))
}

/// `Tue, 01 Dec 2026` and what follows; the name of the day may be missing.
fn mail_day(text: &str) -> Option<(Day, &str)> {
    let text = text.split_once(',').map_or(text, |(_, rest)| rest).trim_start();
    let (day, rest) = digits(text, 2).or_else(|| digits(text, 1))?;
    let (name, rest) = rest.strip_prefix([' ', '-'])?.split_at_checked(3)?;
    let position = MONTHS.iter().position(|month| name.eq_ignore_ascii_case(month))?;
    let (year, rest) = digits(rest.strip_prefix([' ', '-'])?, 4)?;
    Some((Day::new(year, i64::try_from(position).ok()? + 1, day)?, rest))
}

/// Seconds since midnight, and the offset from UTC in minutes where there is one.
fn time_of_day(text: &str) -> Option<(i64, Option<i64>)> {
    let (hour, rest) = digits(text, 2)?;
    let rest_colon = rest.strip_prefix(':');
    let (minute, rest) = digits(rest_colon.unwrap_or(rest), 2)?;
    let seconds = if rest_colon.is_some() { rest.strip_prefix(':') } else { Some(rest) };
    let (second, rest) = seconds.and_then(|rest| digits(rest, 2)).unwrap_or((0, rest));
    let rest = match rest.strip_prefix(['.', ',']) {
        Some(fraction) => fraction.trim_start_matches(|sign: char| sign.is_ascii_digit()),
        None => rest,
    };
    if hour > 23 || minute > 59 || second > 60 {
        return None;
    }
    let seconds = hour * 3_600 + minute * 60 + second.min(59);
    Some((seconds, offset(rest.trim())))
}

fn offset(text: &str) -> Option<i64> {
    if matches!(text, "Z" | "z" | "GMT" | "UTC" | "UT") {
        return Some(0);
    }
    let sign = match text.chars().next()? {
        '+' => 1,
        '-' | '\u{2212}' => -1,
        _ => return None,
    };
    let (hours, rest) = digits(text.trim_start_matches(['+', '-', '\u{2212}']), 2)?;
    let rest = rest.strip_prefix(':').unwrap_or(rest);
    let (minutes, rest) = if rest.is_empty() { (0, rest) } else { digits(rest, 2)? };
    let is_offset = rest.is_empty() && hours <= 14 && minutes <= 59;
    is_offset.then_some(sign * (hours * 60 + minutes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_have_one_spelling() {
        let cases = [
            ("2024-02-29", Some("2024-02-29")),
            ("2023-02-29", None),
            ("2024-13-01", None),
            (" 2024/03/05 ", Some("2024-03-05")),
            ("20240305", Some("2024-03-05")),
            ("202403051", None),
            ("2024-03-05T10:20:30Z", Some("2024-03-05T10:20:30Z")),
            ("2024-03-05T10:20:30.123+00:00", Some("2024-03-05T10:20:30Z")),
            ("2024-03-05T00:20+01:00", Some("2024-03-04T23:20:00Z")),
            ("2024-12-31T20:00:00-0500", Some("2025-01-01T01:00:00Z")),
            ("2024-03-05 10:20:30 UTC", Some("2024-03-05T10:20:30Z")),
            ("2024-03-05T10:20:30", Some("2024-03-05")),
            ("2024-03-05T102030Z", Some("2024-03-05T10:20:30Z")),
            ("2024-03-05T25:00:00Z", None),
            ("Tue, 05 Mar 2024 10:20:30 GMT", Some("2024-03-05T10:20:30Z")),
            ("5 Mar 2024", Some("2024-03-05")),
            ("1970-01-01T00:00:00Z", None),
            ("0001-01-01T00:00:00Z", None),
            ("1600-02-29T12:00:00+00", Some("1600-02-29T12:00:00Z")),
            ("yesterday", None),
            ("2024", None),
            ("", None),
            ("２０２４-03-05", None),
        ];
        for (written, expected) in cases {
            assert_eq!(normalised(written).as_deref(), expected, "{written}");
        }
    }

    #[test]
    fn every_day_has_its_number() {
        let mut day = Day::new(1_599, 12, 31).unwrap().number();
        for year in 1_600..=2_100 {
            for month in 1..=12 {
                for date in 1..=31 {
                    let Some(found) = Day::new(year, month, date) else { continue };
                    assert_eq!(found.number(), day + 1, "{}", found.text());
                    assert_eq!(Day::of_number(day + 1).text(), found.text());
                    day += 1;
                }
            }
        }
    }
}

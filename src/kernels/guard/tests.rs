use proptest::prelude::*;

use super::super::difference::{Differ, difference};
use super::super::text::{Rules, Text};
use super::*;

fn words(text: &str) -> Words {
    let mut normal = Text::new();
    normal.normalise(Rules::V1, text);
    let mut words = Words::new();
    words.read(&normal);
    words
}

fn found(left: &str, right: &str) -> Finding {
    let (left, right) = (words(left), words(right));
    let there = judge(&left, &right, &difference(&left, &right, 200).unwrap());
    let back = judge(&right, &left, &difference(&right, &left, 200).unwrap());
    assert_eq!(there, back);
    there
}

/// Whether nothing but numbers differs, and their class.
fn numbers(left: &str, right: &str) -> (bool, Digits) {
    let found = found(left, right);
    (found.only_numbers, found.numbers)
}

fn all_are(wanted: Digits, pairs: &[(&str, &str)]) {
    let others = pairs.iter().map(|&(left, right)| (left, right, numbers(left, right)));
    let others: Vec<_> = others.filter(|(.., found)| *found != (true, wanted)).collect();
    assert!(others.is_empty(), "{others:#?}");
}

#[test]
fn dates_and_times_are_volatile() {
    all_are(
        Digits::Volatile,
        &[
            ("as of 2024-05-01 open", "as of 2024-06-12 open"),
            ("written 2024-05-01T12:30:00Z here", "written 2025-01-11T07:05:59Z here"),
            ("on 05/01/2024 we", "on 06/12/2024 we"),
            ("am 01.05.2024 war", "am 12.06.2024 war"),
            ("am 1. Mai 2024 war", "am 2. Juni 2025 war"),
            ("on May 5, 2024 we", "on June 6, 2025 we"),
            ("Monday, 5 May", "Tuesday, 6 May"),
            ("le 5 mai 2024", "le 6 juin 2024"),
            ("5 de mayo de 2024", "6 de junio de 2025"),
            ("5 мая 2024 года", "6 июня 2024 года"),
            ("5 Mayıs 2024", "6 Haziran 2024"),
            ("ngày 5 tháng 6 năm 2024", "ngày 7 tháng 8 năm 2025"),
            ("2024年5月1日更新", "2025年6月12日更新"),
            ("令和6年5月1日", "令和7年6月2日"),
            ("二〇二五年五月一日", "二〇二六年六月二日"),
            ("2024년 5월 1일", "2025년 6월 2일"),
            ("5 مايو 2024", "6 يونيو 2025"),
            ("٥ مايو ٢٠٢٤", "٦ مايو ٢٠٢٥"),
            ("५ मई २०२४", "६ जून २०२५"),
            ("วันที่ 5 พฤษภาคม 2567", "วันที่ 6 พฤษภาคม 2568"),
            ("๕ พฤษภาคม ๒๕๖๗", "๑๖ พฤษภาคม ๒๕๖๘"),
            ("at 12:30:05 the", "at 13:41:06 the"),
            ("at 5:30 pm the", "at 6:45 pm the"),
            ("um 17 Uhr ist", "um 18 Uhr ist"),
            ("à 17h30 le", "à 18h45 le"),
            ("Copyright 2024 by us", "Copyright 2025 by us"),
            ("© 2019-2024 Example", "© 2019-2025 Example"),
            ("Example Ltd (c) 2024", "Example Ltd (c) 2025"),
            ("Last updated: 2024", "Last updated: 2025"),
        ],
    );
}

#[test]
fn what_ticks_is_volatile() {
    all_are(
        Digits::Volatile,
        &[
            ("posted 5 hours ago by", "posted 6 hours ago by"),
            ("posted 1 hour ago by", "posted 2 hours ago by"),
            ("posted 5h ago by", "posted 6h ago by"),
            ("on 3 March 2020 at 5:30", "on 4 March 2021 at 6:45"),
            ("vor 5 Stunden geschrieben", "vor 6 Stunden geschrieben"),
            ("il y a 5 minutes", "il y a 6 minutes"),
            ("hace 5 días", "hace 6 días"),
            ("5 минут назад", "6 минут назад"),
            ("5 分钟前", "6 分钟前"),
            ("5時間前", "6時間前"),
            ("5시간 전", "6시간 전"),
            ("5 phút trước", "6 phút trước"),
            ("منذ 5 ساعات", "منذ 6 ساعات"),
            ("לפני 5 דקות", "לפני 6 דקות"),
            ("πριν 5 ώρες", "πριν 6 ώρες"),
            ("5 dakika önce", "6 dakika önce"),
            ("5 मिनट पहले", "6 मिनट पहले"),
            ("5 นาทีที่แล้ว", "6 นาทีที่แล้ว"),
            ("Views: 1,204. The", "Views: 1,377. The"),
            ("Back to page 1 of 7", "Back to page 3 of 12"),
            ("Zurück zu Seite 1", "Zurück zu Seite 3"),
            ("1 comment here", "12 comments here"),
            ("1204 просмотров", "1377 просмотров"),
            ("阅读 1204", "阅读 1377"),
            ("5件のコメント", "6件のコメント"),
            ("조회 1204", "조회 1377"),
            ("1204 lượt xem", "1377 lượt xem"),
            ("1204 مشاهدة", "1377 مشاهدة"),
            ("1204 Aufrufe", "1377 Aufrufe"),
            ("Page generated in 0.123 seconds", "Page generated in 0.377 seconds"),
            ("Weather in Bonn: 12 °C, dry", "Weather in Bonn: 17 °C, dry"),
            ("Погода: 12 °C", "Погода: 7 °C"),
            ("session a81f3c9 open", "session 77c0b1e open"),
            ("x 0ef7deb69ab1c5d2 y", "x 2c8100871fb2a3e4 y"),
        ],
    );
}

#[test]
fn versions_are_versions() {
    all_are(
        Digits::Version,
        &[
            ("Version 2.3 of it", "Version 2.4 of it"),
            ("in Python 3.10 the", "in Python 3.11 the"),
            ("Debian GNU/Linux 11 has", "Debian GNU/Linux 12 has"),
            ("get foo 2.3.1 now", "get foo 2.3.2 now"),
            ("get foo v2 now", "get foo v3 now"),
            ("2nd edition of", "3rd edition of"),
            ("get foo-1.0rc1 now", "get foo-1.0rc2 now"),
            ("boost_1_74_0 has", "boost_1_81_0 has"),
            ("kernel 6.1.0-13-amd64", "kernel 6.1.0-17-amd64"),
            ("версия 2.3", "версия 2.4"),
            ("バージョン 2.3", "バージョン 2.4"),
            ("版本 2.3", "版本 2.4"),
            ("phiên bản 2.3", "phiên bản 2.4"),
            ("الإصدار 2.3", "الإصدار 2.4"),
            ("संस्करण 2.3", "संस्करण 2.4"),
            ("เวอร์ชัน 2.3", "เวอร์ชัน 2.4"),
            ("έκδοση 2.3", "έκδοση 2.4"),
            ("2. Auflage", "3. Auflage"),
            ("버전 2.3", "버전 2.4"),
            ("sha256 0ef7deb69ab1c5d2", "sha256 2c8100871fb2a3e4"),
            ("the debian8 image", "the debian10 image"),
        ],
    );
}

#[test]
fn architectures_are_versions() {
    all_are(
        Digits::Version,
        &[
            ("for x86_64 only", "for armhf only"),
            ("Available on x86 and target", "Available on x86-64 and target"),
            ("core::arch::wasm32::add", "core::arch::wasm64::add"),
            ("main/installer-amd64/current", "main/installer-mips64el/current"),
            ("for 64-bit PC there", "for 32-bit PC there"),
            ("for 32-bit hard-float ARMv7 (armhf)", "for 64-bit PowerPC little-endian (ppc64el)"),
            ("for 32-bit soft-float ARM (armel)", "for S/390 (s390x)"),
            ("the list debian-arm is", "the list debian-s390 is"),
            ("grub는 amd64의 부트로더", "grub는 i386의 부트로더"),
            ("amd64 has 96607 of them", "i386 has 95821 of them"),
        ],
    );
    // Width of a number and of a register, parts of the body, the order of bytes.
    let names = numbers("reads a 32-bit integer", "reads a 64-bit integer");
    assert_eq!(names, (true, Digits::Identifying));
    assert_eq!(numbers("an arm is long", "a leg is long"), (false, Digits::None));
    assert_eq!(numbers("in little-endian order", "in big-endian order"), (false, Digits::None));
}

#[test]
fn what_a_document_numbers_itself_does_not_identify() {
    all_are(
        Digits::Version,
        &[
            ("see Section 5.4.7, “Sending reports”", "see Section 5.4.5, “Sending reports”"),
            ("vea Sección 4.4, “Preseed”", "vea Sección 4.5, “Preseed”"),
            ("το Τμήμα 5.4.7 λέει", "το Τμήμα 5.3.5 λέει"),
            ("발견하면, 5.4.7절. 설치", "발견하면, 5.4.5절. 설치"),
            ("Table 39.1. Default Values", "Table 38.1. Default Values"),
            ("Chapter 25. Boost.Move and", "Chapter 23. Boost.Move and"),
            ("Definition at line 289 of file", "Definition at line 294 of file"),
        ],
    );
    all_are(
        Digits::Volatile,
        &[
            ("shut down[15]. To power", "shut down[14]. To power"),
            ("the package exim4[17]:", "the package exim4[18]:"),
            ("here. [15] With SysV init", "here. [14] With SysV init"),
        ],
    );
    all_are(
        Digits::Identifying,
        &[
            ("Model 12 is here", "Model 13 is here"),
            ("Section 12 of the Act", "Section 13 of the Act"),
            ("Chapter 12", "Chapter 13"),
            ("Table 3 shows", "Table 4 shows"),
            ("bus line 289 of", "bus line 294 of"),
        ],
    );
    all_are(Digits::Unknown, &[("set a[1] to it", "set a[2] to it")]);
}

#[test]
fn what_names_or_measures_is_identifying() {
    all_are(
        Digits::Identifying,
        &[
            ("ball bearing 6204-2RS from", "ball bearing 6205-2RS from"),
            ("phone KX-TG9343T in", "phone KX-TG9344T in"),
            ("16 GB of memory", "32 GB of memory"),
            ("take 5 mg daily", "take 50 mg daily"),
            ("may take 5 mg", "may take 50 mg"),
            ("bore 20mm wide", "bore 25mm wide"),
            ("bore 20 mm", "bore 2 cm"),
            ("nach § 12 des", "nach § 13 des"),
            ("Article 12 says", "Article 13 says"),
            ("статья 12 говорит", "статья 13 говорит"),
            ("第12条规定", "第13条规定"),
            ("第三章", "第四章"),
            ("المادة 12 من", "المادة 13 من"),
            ("Seite 3 von 12", "Seite 4 von 12"),
            ("page 3 of 12", "page 3 of 13"),
            ("Provincial Road 1506 (PR 1506) is", "Provincial Road 1507 (PR 1507) is"),
            ("call +49 30 1234567", "call +49 30 1234568"),
            ("call 555-1234", "call 555-1235"),
            ("for 46 EUR only", "for 47 EUR only"),
            ("for $46 only", "for $47 only"),
            ("за 46 руб", "за 47 руб"),
            ("500 мг", "250 мг"),
            ("容量 500 毫升", "容量 250 毫升"),
            ("サイズ 42", "サイズ 43"),
            ("CAS 64-17-5 pure", "CAS 67-56-1 pure"),
            ("RFC 791 says", "RFC 793 says"),
            ("Room 12, May 5", "Room 13, May 5"),
            ("от 12.05.2020 № 5", "от 13.05.2020 № 5"),
            ("store at 5 °C", "store at 25 °C"),
            ("with 5% sugar", "with 6% sugar"),
            ("model number 12", "model number 13"),
            ("मॉडल no. 12", "मॉडल no. 13"),
            ("covid-19 cases", "covid-20 cases"),
            ("the _mm_add_epi8 call", "the _mm_add_epi16 call"),
            ("the type ranlux4_01 is", "the type ranlux64_3_01 is"),
            ("amd64 wants 350 MB", "i386 wants 285 MB"),
        ],
    );
}

#[test]
fn numbers_without_a_known_word_are_unknown() {
    all_are(
        Digits::Unknown,
        &[
            ("the summer of 2020 was", "the summer of 2024 was"),
            ("he saw 12 of them", "he saw 13 of them"),
            ("wait 5 minutes then", "wait 6 minutes then"),
            ("the crossing took 5 hours", "the crossing took 6 hours"),
            ("data 2024 here", "data 2025 here"),
            ("Spanish 2.0 comments", "Spanish 2.1 comments"),
            ("он видел 12 раз", "он видел 13 раз"),
            ("徒歩5分です", "徒歩8分です"),
            ("has 1,204,500 in", "has 1,204,600 in"),
            ("born 5 May 1950 in", "born 6 May 1951 in"),
            ("of 12.05.1871 and", "of 13.05.1872 and"),
            ("John 3:16 says", "John 3:17 says"),
            ("at 192.168.0.1 there", "at 192.168.0.2 there"),
            ("session 3 about", "session 4 about"),
            ("2024年度报告", "2025年度报告"),
            ("3年保修", "5年保修"),
            ("3-year warranty", "5-year warranty"),
        ],
    );
}

#[test]
fn the_gravest_class_counts() {
    assert_eq!(
        numbers("Copyright 2024, take 5 mg", "Copyright 2025, take 50 mg"),
        (true, Digits::Identifying)
    );
    assert_eq!(
        numbers("posted 5 hours ago, version 2", "posted 6 hours ago, version 3"),
        (true, Digits::Version)
    );
    assert_eq!(numbers("equal 5", "equal 5"), (false, Digits::None));
    assert_eq!(numbers("road 5 north", "road 6 south"), (false, Digits::Identifying));
    // Words that happen to have a digit, months that are no dates.
    assert_eq!(numbers("for utf8 only", "for latin1 only"), (false, Digits::None));
    assert_eq!(numbers("we may come", "we might come"), (false, Digits::None));
    assert_eq!(numbers("一个人来了", "二个人来了"), (false, Digits::None));
}

#[test]
fn polarity_is_seen_in_many_languages() {
    for (left, right) in [
        ("smoking is allowed here", "smoking is not allowed here"),
        ("you can do it", "you can't do it"),
        ("you do it", "you don’t do it"),
        ("this always works", "this never works"),
        ("tea with sugar", "tea without sugar"),
        ("the option is enabled", "the option is disabled"),
        ("das ist erlaubt", "das ist nicht erlaubt"),
        ("es gibt einen Weg", "es gibt keinen Weg"),
        ("c'est permis", "ce n'est pas permis"),
        ("está permitido", "no está permitido"),
        ("está permitido", "está prohibido"),
        ("é permitido", "não é permitido"),
        ("è consentito", "non è consentito"),
        ("dat is toegestaan", "dat is niet toegestaan"),
        ("to jest dozwolone", "to nie jest dozwolone"),
        ("это можно", "это нельзя"),
        ("курить разрешено", "курить не разрешено"),
        ("чай с сахаром", "чай без сахара"),
        ("det är tillåtet", "det är inte tillåtet"),
        ("se on sallittu", "se ei on sallittu"),
        ("ez szabad", "ez nem szabad"),
        ("e permis", "nu e permis"),
        ("bu doğru", "bu doğru değil"),
        ("được phép", "không được phép"),
        ("boleh merokok", "tidak boleh merokok"),
        ("επιτρέπεται", "δεν επιτρέπεται"),
        ("χωρίς ζάχαρη", "με ζάχαρη"),
        ("זה מותר", "זה לא מותר"),
        ("هذا مسموح", "هذا غير مسموح"),
        ("يعمل اليوم", "لا يعمل اليوم"),
        ("यह ठीक है", "यह ठीक नहीं है"),
        ("এটা ঠিক", "এটা ঠিক না"),
        ("这里可以吸烟", "这里不可以吸烟"),
        ("已经完成", "没有完成"),
        ("ここで吸える", "ここで吸えない"),
        ("使えます", "使えません"),
        ("담배를 피워도 됩니다", "담배를 피우지 않습니다"),
        ("나는 간다", "나는 안 간다"),
        ("ไปได้", "ไม่ไปได้"),
    ] {
        assert!(found(left, right).polarity, "{left} {right}");
    }
}

#[test]
fn other_words_are_no_polarity() {
    for (left, right) in [
        ("see No. 5 there", "see Nr. 5 there"),
        ("not a red car", "not a blue car"),
        ("nicht rot", "nicht blau"),
        ("不好的天气", "不坏的天气"),
        ("option t is set", "option u is set"),
        ("matrix n here", "matrix m here"),
        ("the option is enabled", "the option is enabled now"),
        ("one two three four five", "not a b c d e f g"),
    ] {
        assert!(!found(left, right).polarity, "{left} {right}");
    }
}

#[test]
fn operators_count_and_punctuation_does_not() {
    for (left, right, wanted) in [
        ("operator+ (iterator)", "operator- (iterator)", 1),
        ("if a == b then", "if a != b then", 1),
        ("if a < b then", "if a > b then", 1),
        ("if a && b then", "if a || b then", 1),
        ("learn C today", "learn C++ today", 1),
        ("learn C today", "learn C# today", 1),
        ("about ~string here", "about string here", 1),
        ("operator() of", "operator[] of", 1),
        ("set -5 there", "set 5 there", 1),
        ("costs €5 only", "costs $5 only", 1),
        ("x = 5 there", "x 5 there", 1),
        ("home > news > today", "home / news / today", 0),
        ("one, two", "one; two.", 0),
        ("“one” two", "\"one\" two", 0),
        ("state-of-the-art", "state of the art", 0),
        ("Hello there!", "Hello there", 0),
        ("one - two", "one — two", 0),
        ("* one * two", "one two", 0),
        ("1,204 things", "1.204 things", 0),
        ("AT&T here", "AT T here", 0),
    ] {
        let found = found(left, right);
        assert_eq!((found.operators, found.words), (wanted, 0), "{left} {right}");
        assert!(!found.only_numbers, "{left} {right}");
    }
}

#[test]
fn words_that_differ_are_counted() {
    for (left, right, wanted) in [
        ("上海浦东四季酒店", "上海浦东全季酒店", 1),
        ("Alder County", "Leonard County", 1),
        ("one two three", "one three", 1),
        ("const int x", "int x", 1),
        ("one two three", "four five three", 2),
    ] {
        assert_eq!(found(left, right).words, wanted, "{left} {right}");
    }
}

#[test]
fn cases_from_reports_come_out_right() {
    let road = |number: &str, county: &str| {
        format!(
            "Provincial Road {number} (PR {number}) is a two-lane road in {county} County. It \
             begins at a junction north of the county seat and ends at the river bridge."
        )
    };
    let (first, second) = (road("1506", "Alder"), road("1507", "Alder"));
    assert_eq!(numbers(&first, &second), (true, Digits::Identifying));
    assert_eq!(found(&first, &road("1511", "Leonard")).words, 1);
    let thread = |time: &str, views: &str| {
        format!(
            "Thread: squeaking brake on a touring bike. Posted {time} ago by user rider7. Views: \
             {views}. I changed the pads and cleaned the rim."
        )
    };
    let found_thread = found(&thread("1 hour", "1,204"), &thread("2 hours", "1,377"));
    let wanted = Finding { numbers: Digits::Volatile, only_numbers: true, ..Finding::default() };
    assert_eq!(found_thread, wanted);
    let bearing = |model: &str, sizes: [u32; 3]| {
        let [bore, outer, width] = sizes;
        format!(
            "Deep groove ball bearing {model}. Bore {bore} mm, outer diameter {outer} mm, width \
             {width} mm. Sealed on both sides. Working range from minus 30 to plus 110 degrees."
        )
    };
    let (small, large) = (bearing("6204-2RS", [20, 47, 14]), bearing("6205-2RS", [25, 52, 15]));
    assert_eq!(numbers(&small, &large), (true, Digits::Identifying));
    // Vowel marks make other words: the guards have no say in them.
    let marks = found("افتتحت المكتبة العامة قاعة", "اَفتتحتَ المكَتبة اَلعامةَ قاعةَ");
    assert_eq!(marks, Finding { words: 4, ..Finding::default() });
    let talk = found(
        "have you ever wondered about mosquitoes? Oh, all the time, Tom!",
        "have you ever wondered about home networks? Oh, all the time, Tom!",
    );
    assert_eq!(talk, Finding { words: 2, ..Finding::default() });
}

/// Texts of what the guards look for.
fn text() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        "[0-9]{1,4}[-.:,/ ]",
        "[a-z]{1,2}[0-9]{1,3} ",
        "(views|ago|hours|page|version|may|mm|©|not|no|€|§|№|年|月|日|第|前|ไม่|不|٣|५|๓) ?",
        "[ -~]{0,6}",
        any::<String>(),
    ];
    prop::collection::vec(piece, 0..12).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn verdicts_are_symmetric(left in text(), right in text()) {
        let (left, right) = (words(&left), words(&right));
        let mut differ = Differ::new();
        let there = differ.difference(&left, &right, 40).map(|d| judge(&left, &right, d));
        let back = differ.difference(&right, &left, 40).map(|d| judge(&right, &left, d));
        prop_assert_eq!(there, back);
        prop_assert!(there.is_none_or(|found| !found.only_numbers || found.words == 0));
    }

    #[test]
    fn a_text_differs_in_nothing_from_itself(text in text()) {
        let text = words(&text);
        let found = judge(&text, &text, &difference(&text, &text, 0).unwrap());
        prop_assert_eq!(found, Finding::default());
    }
}

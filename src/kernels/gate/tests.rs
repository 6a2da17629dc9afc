//! Pages that are refusals and pages that speak of them, in the words of real servers.

use super::*;

const PAGE: Seen = Seen {
    status: Some(200),
    is_html: true,
    is_empty: false,
    tokens: 60,
    tokens_min: 0,
    is_refresh: false,
    is_extracted: true,
    title: None,
    heading: None,
    main_text: "",
    full_text: "",
    url: "https://lamps.example/p/991",
    final_url: None,
    passwords: 0,
    marks: &[],
};

/// The name of the class of a page with this title, heading and text.
fn class(title: &str, heading: &str, text: &str) -> &'static str {
    let (title, heading) = (Some(title), Some(heading).filter(|text| !text.is_empty()));
    judge(&Seen { title, heading, main_text: text, full_text: text, ..PAGE }).gate.name()
}

/// A text about something else, of about so many words.
fn long(words: usize) -> String {
    "The council counts the boats near the old bridge every spring. ".repeat(words / 11)
}

#[test]
fn a_name_with_underscores_is_no_phrase() {
    let text = "Defines a type of object to be thrown. It reports what only the run can show.";
    assert_eq!(class("std::runtime_error - reference", "std::runtime_error", text), "ok");
    assert_eq!(class("PACKAGES_NOT_FOUND", "PACKAGES_NOT_FOUND", text), "ok");
    assert_eq!(class("Runtime error", "Runtime error", text), "http_error");
    assert_eq!(class("Packages not found", "Packages not found", text), "soft404");
}

#[test]
fn a_missing_page_is_known_in_every_language() {
    for heading in [
        "Page not found",
        "Oops! That page can’t be found.",
        "404 Not Found",
        "Ｐａｇｅ　ｎｏｔ　ｆｏｕｎｄ",
        "Seite nicht gefunden",
        "Page introuvable",
        "Página no encontrada",
        "Pagina non trovata",
        "Página não encontrada",
        "Pagina niet gevonden",
        "Nie znaleziono strony",
        "Stránka nenalezena",
        "Sidan hittades inte",
        "Siden blev ikke fundet",
        "Sivua ei löytynyt",
        "Az oldal nem található",
        "Pagina nu a fost găsită",
        "SAYFA BULUNAMADI",
        "Sayfa bulunamadı",
        "Η σελίδα δεν βρέθηκε",
        "Η ΣΕΛΙΔΑ ΔΕΝ ΒΡΕΘΗΚΕ",
        "Страница не найдена",
        "Сторінку не знайдено",
        "Страницата не е намерена",
        "الصفحة غير موجودة",
        "الصَّفْحَةُ غَيْرُ مَوْجُودَة",
        "الصفحه غير موجوده",
        "הדף לא נמצא",
        "صفحه پیدا نشد",
        "خطای ۴۰۴",
        "पृष्ठ नहीं मिला",
        "পাতা খুঁজে পাওয়া যায়নি",
        "ไม่พบหน้าที่คุณต้องการ",
        "Không tìm thấy trang",
        "Halaman tidak ditemukan",
        "ページが見つかりません",
        "페이지를 찾을 수 없습니다",
        "页面未找到",
        "找不到網頁",
        "រកមិនឃើញទំព័រ",
    ] {
        assert_eq!(class(&format!("{heading} | Lamps"), heading, heading), "soft404", "{heading}");
        assert_eq!(class(&format!("Lamps – {heading}"), "", ""), "soft404", "{heading}");
    }
}

#[test]
fn an_article_about_missing_pages_is_good() {
    for title in [
        "How to fix a 404 error",
        "Page not found error in nginx explained",
        "Seite nicht gefunden: was bedeutet das?",
        "Comment corriger une erreur 404",
        "Sayfa bulunamadı: bu ne demek?",
        "Η σελίδα δεν βρέθηκε: τι σημαίνει;",
        "Страница не найдена: что это значит",
        "كيفية إصلاح خطأ 404",
        "איך מתקנים שגיאת 404",
        "404 त्रुटि कैसे ठीक करें",
        "৪০৪ ত্রুটি কীভাবে সারাবেন",
        "วิธีแก้ข้อผิดพลาด 404",
        "Không tìm thấy trang: nghĩa là gì?",
        "404エラーの直し方",
        "페이지를 찾을 수 없습니다: 무슨 뜻인가",
        "如何修复404错误",
        "របៀបដោះស្រាយកំហុស 404",
    ] {
        let text = format!("When a page is not found, the server answers 404. {}", long(80));
        assert_eq!(class(title, title, &text), "ok", "{title}");
        assert_eq!(class(&format!("{title} | Lamps"), title, &text), "ok", "{title}");
    }
}

#[test]
fn other_walls_are_known_by_their_headings() {
    for (heading, wanted) in [
        ("Please log in to continue", "login_wall"),
        ("Bitte melden Sie sich an", "login_wall"),
        ("Πρέπει να συνδεθείτε", "login_wall"),
        ("ログインしてください", "login_wall"),
        ("로그인이 필요합니다", "login_wall"),
        ("请先登录", "login_wall"),
        ("กรุณาเข้าสู่ระบบ", "login_wall"),
        ("Vui lòng đăng nhập để tiếp tục", "login_wall"),
        ("يلزم تسجيل الدخول", "login_wall"),
        ("সদস্য লগইন", "login_wall"),
        ("សូមចូលគណនីដើម្បីបន្ត", "login_wall"),
        ("Your privacy matters", "consent_wall"),
        ("Ihre Privatsphäre ist uns wichtig", "consent_wall"),
        ("Gizliliğiniz bizim için önemli", "consent_wall"),
        ("הפרטיות שלך חשובה לנו", "consent_wall"),
        ("Just a moment...", "bot_block"),
        ("Доступ запрещён", "bot_block"),
        ("Erişim Engellendi", "bot_block"),
        ("क्या आप रोबोट हैं?", "bot_block"),
        ("您是机器人吗", "bot_block"),
        ("This domain is for sale", "parked"),
        ("Diese Domain steht zum Verkauf", "parked"),
        ("此域名正在出售", "parked"),
        ("此網域出售中", "parked"),
        ("이 도메인은 판매 중입니다", "parked"),
        ("Under maintenance", "maintenance"),
        ("メンテナンス中", "maintenance"),
        ("Η σελίδα είναι υπό συντήρηση", "maintenance"),
        ("Sitemiz bakımdadır", "maintenance"),
        ("الموقع تحت الصيانة", "maintenance"),
        ("500 Internal Server Error", "http_error"),
    ] {
        assert_eq!(class(heading, heading, heading), wanted, "{heading}");
    }
}

#[test]
fn articles_about_such_matters_are_good() {
    for title in [
        "Login systems explained",
        "Cookie recipes for the weekend",
        "Ten parking lots near the harbour",
        "Maintenance of old bicycles",
        "Selling a domain name: what to watch for",
        "What is a captcha?",
        "Out of print: the books of Mora Vell",
        "クッキーの焼き方",
        "오래된 자전거 점검",
        "Συντήρηση παλιών ποδηλάτων",
        "7.3. Вход в систему",
    ] {
        let text = format!("{} You must be logged in, some sites say. {}", long(44), long(44));
        assert_eq!(class(title, title, &text), "ok", "{title}");
    }
}

#[test]
fn a_sorry_heading_leaves_the_word_to_the_sentences() {
    let text = "This item is no longer available. Please use the search or go back.";
    assert_eq!(class("Lamps", "Sorry", text), "soft404");
    assert_eq!(class("Lamp of blue glass", "Lamp of blue glass", &long(60)), "ok");
    let seen = Seen { title: Some("Lamps"), main_text: text, full_text: text, ..PAGE };
    assert_eq!(judge(&seen), Verdict { gate: Gate::Soft404, reason: "text" });
}

#[test]
fn a_long_page_is_good_whatever_its_heading_says() {
    let text = long(330);
    assert_eq!(class("404 Not Found", "404 Not Found", &text), "ok");
    assert_eq!(class("404 Not Found", "404 Not Found", &long(200)), "soft404");
    assert_eq!(class("Lamps", "404 Not Found", &long(200)), "ok");
}

#[test]
fn a_password_field_makes_a_login_page_of_a_bare_page_only() {
    let bare = Seen { title: Some("Lamps"), passwords: 1, main_text: "User Password Go", ..PAGE };
    assert_eq!(judge(&bare), Verdict { gate: Gate::LoginWall, reason: "password" });
    let none = Seen { passwords: 0, ..bare };
    assert_eq!(judge(&none).gate, Gate::Ok);
    let text = long(60);
    let article = Seen { heading: Some("Blue lamps of the north"), main_text: &text, ..bare };
    assert_eq!(judge(&article).gate, Gate::Ok);
    let sign_in = Seen { title: Some("Sign in - Lamps"), main_text: &text, ..bare };
    assert_eq!(judge(&sign_in), Verdict { gate: Gate::LoginWall, reason: "title" });
}

#[test]
fn a_redirect_that_ended_at_a_login_page_is_a_wall() {
    let to = |end| judge(&Seen { final_url: Some(end), main_text: "Welcome", ..PAGE });
    let wall = Verdict { gate: Gate::LoginWall, reason: "redirect" };
    assert_eq!(to("https://lamps.example/account/sign-in?next=%2Fp%2F991"), wall);
    assert_eq!(to("https://lamps.example/wp-login.php"), wall);
    assert_eq!(to("https://lamps.example/p/login-lamps").gate, Gate::Ok);
    assert_eq!(to("https://login.example/").gate, Gate::Ok);
}

#[test]
fn a_mark_counts_only_beside_little_text() {
    let index = marks_of("/cdn-cgi/Challenge-Platform/h/b/orchestrate");
    let mark = MARKS[index.unwrap()].0;
    assert_eq!(mark, "cloudflare");
    let marks = [mark];
    let blocked = Seen { marks: &marks, title: Some("Blue lamps of the north"), ..PAGE };
    assert_eq!(judge(&blocked), Verdict { gate: Gate::BotBlock, reason: "markup" });
    let text = long(80);
    assert_eq!(judge(&Seen { main_text: &text, ..blocked }).gate, Gate::Ok);
    assert_eq!(marks_of("main"), None);
    assert_eq!(marks_of("https://www.google.com/recaptcha/api.js"), None);
}

#[test]
fn status_and_refresh_come_first_and_text_rows_are_never_read() {
    let missing = Seen { title: Some("Page not found"), ..PAGE };
    for (page, wanted, reason) in [
        (Seen { status: Some(404), ..missing }, Gate::HttpError, "status"),
        (Seen { status: Some(301), ..missing }, Gate::Redirect, "status"),
        (Seen { is_refresh: true, tokens: 3, ..missing }, Gate::Redirect, "refresh"),
        (Seen { is_html: false, ..missing }, Gate::Ok, "ok"),
        (Seen { is_empty: true, tokens: 0, ..missing }, Gate::Soft404, "title"),
        (Seen { is_empty: true, tokens: 0, ..PAGE }, Gate::Empty, "length"),
        (Seen { is_extracted: false, ..PAGE }, Gate::ExtractFailed, "extractor"),
        (Seen { tokens: 9, tokens_min: 10, ..PAGE }, Gate::TooShort, "length"),
        (Seen { tokens: 9, tokens_min: 10, ..missing }, Gate::Soft404, "title"),
    ] {
        assert_eq!(judge(&page), Verdict { gate: wanted, reason }, "{page:?}");
    }
}

#[test]
fn folding_takes_forms_of_a_letter_for_one() {
    let text = |text| Folded::new(text).text().to_owned();
    assert_eq!(text("PAGE n’existe — PAS!"), " page nexiste pas ");
    assert_eq!(text("ΔΕΝ ΒΡΈΘΗΚΕ"), text("δεν βρέθηκε"));
    assert_eq!(text("İSTANBUL ılık"), " istanbul ilik ");
    assert_eq!(text("أُخرى ٤٠٤"), text("اخري 404"));
    assert_eq!(text("404 錯誤"), text("404錯誤"));
    assert_eq!(text("찾을 수 없습니다"), text("찾을수 없습니다"));
    assert_eq!(Folded::new("One two, three").words(), 3);
    assert_eq!(Folded::new("页面未找到吗 ok").words(), 4);
    assert!(Folded::new(" …!").is_empty());
}

#[test]
fn any_text_is_judged() {
    let marks = ["", " ", "|", "a|", "：", "404", "\u{0}", "\u{301}", "é|-"];
    let letters = ["ﷺ", "🙂", "이", "ก", "\u{10ffff}"];
    let pieces = [&marks[..], &letters[..]].concat();
    for first in &pieces {
        for second in &pieces {
            for third in &pieces {
                let text = [*first, *second, *third].concat();
                let seen = Seen { title: Some(&text), heading: Some(&text), url: &text, ..PAGE };
                let seen = Seen { main_text: &text, full_text: &text, passwords: 1, ..seen };
                let names = Gate::ALL.map(Gate::name);
                assert!(names.contains(&judge(&seen).gate.name()));
                assert!(marks_of(&text).is_none());
            }
        }
    }
}

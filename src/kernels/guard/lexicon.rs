//! Words that say what a number beside them is, in the languages of the web.
//!
//! An entry is normalised and cut like a text, so it is written as people write it; `_` stands
//! for a space. An entry of several tokens (most of those in scripts without spaces) is found as
//! a phrase. Abbreviations come without their full stop.
//!
//! Not complete for any language: a number without a known word beside it is `unknown`, and the
//! guards refuse those. What makes a number volatile is kept narrow for that reason.
//!
//! Source: written for this project. Cost: built once; a look-up is a search in a sorted map.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use xxhash_rust::xxh3::xxh3_64;

use super::super::difference::Words;
use super::super::text::{Rules, Text};

/// A number that ticks: of views, comments, downloads.
pub(super) const COUNTER: usize = 0;
/// A unit of time, behind its number.
pub(super) const TIME: usize = 1;
/// Makes a number with a unit of time relative to now.
pub(super) const AGO: usize = 2;
/// A date or a time of the page itself follows.
pub(super) const STAMP: usize = 3;
/// A year of copyright is near.
pub(super) const COPYRIGHT: usize = 4;
/// An identifier made for one visit or one build.
pub(super) const SESSION: usize = 5;
/// A digest of a file.
pub(super) const CHECKSUM: usize = 6;
/// A name of a month, or of a part of a date before its number.
pub(super) const MONTH: usize = 7;
/// A name of a day of the week.
pub(super) const WEEKDAY: usize = 8;
/// Behind a time of day.
pub(super) const CLOCK: usize = 9;
/// A part of a date, behind its number.
pub(super) const DATE: usize = 10;
/// A version, an edition or a release.
pub(super) const VERSION: usize = 11;
/// Software that is known by its version.
pub(super) const SOFTWARE: usize = 12;
/// A number that names or places something.
pub(super) const NAMING: usize = 13;
/// A unit or a thing that is counted, behind its number.
pub(super) const UNIT: usize = 14;
/// A currency, before or behind its amount.
pub(super) const CURRENCY: usize = 15;
/// Weather, where degrees change by the hour.
pub(super) const WEATHER: usize = 16;
/// A word that happens to have digits.
pub(super) const TECHNICAL: usize = 17;
/// Behind an ordinal number.
pub(super) const ORDINAL: usize = 18;
/// Before a date's part: day, month, year.
pub(super) const DATED: usize = 19;
/// A way back to where the reader came from, before its number.
pub(super) const RETURN: usize = 20;

/// What a document numbers by itself, before or behind its number with dots: sections, tables.
pub(super) const NUMBERED: usize = 21;
/// A place in a listing, before its number.
pub(super) const LINE: usize = 22;
/// A name of a processor architecture.
pub(super) const ARCHITECTURE: usize = 23;
/// A word that belongs to an architecture beside the name of one.
pub(super) const PLATFORM: usize = 24;

/// How many kinds there are.
pub(super) const KINDS: usize = 25;

/// The kinds of a word, one bit a kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Kinds(u32);

impl Kinds {
    /// Whether the word is of this kind.
    pub(super) fn has(self, kind: usize) -> bool {
        self.0 >> kind & 1 == 1
    }

    /// Whether the word is of any of these kinds.
    pub(super) fn any(self, kinds: &[usize]) -> bool {
        kinds.iter().any(|&kind| self.has(kind))
    }

    fn add(&mut self, kind: usize) {
        self.0 |= 1 << kind;
    }
}

/// The entries that begin with one token: hashes of what follows it, and the kinds of the whole.
type Entries = Vec<(Vec<u64>, Kinds)>;

/// The entries by the hash of their first token.
static LEXICON: LazyLock<BTreeMap<u64, Entries>> = LazyLock::new(|| {
    let mut lexicon: BTreeMap<u64, Entries> = BTreeMap::new();
    let (mut normal, mut words) = (Text::new(), Words::new());
    for (kind, list) in LISTS {
        for entry in list.split_whitespace() {
            // "x86_64" is written so.
            let is_written = matches!(kind, TECHNICAL | ARCHITECTURE);
            let spaced = if is_written { entry.into() } else { entry.replace('_', " ") };
            normal.normalise(Rules::V1, &spaced);
            words.read(&normal);
            let rest: Vec<u64> = (1..words.len()).map(|at| words.hash(at)).collect();
            let entries = lexicon.entry(words.hash(0)).or_default();
            if let Some((_, kinds)) = entries.iter_mut().find(|(found, _)| *found == rest) {
                kinds.add(kind);
            } else {
                entries.push((rest, Kinds(1 << kind)));
            }
        }
    }
    for entries in lexicon.values_mut() {
        // The longest first.
        entries.sort_by(|left, right| (right.0.len(), &left.0).cmp(&(left.0.len(), &right.0)));
    }
    lexicon
});

/// The longest entry that begins at a token: its tokens and kinds; 1 and none without one.
pub(super) fn entry(words: &Words, at: usize) -> (usize, Kinds) {
    let found = LEXICON.get(&words.hash(at)).and_then(|entries| {
        entries.iter().find(|(rest, _)| {
            rest.iter().zip(at + 1..).all(|(&hash, place)| words.hash(place) == hash)
        })
    });
    found.map_or((1, Kinds::default()), |(rest, kinds)| (rest.len() + 1, *kinds))
}

/// The kinds of one word on its own.
pub(super) fn kinds(word: &str) -> Kinds {
    let entries = LEXICON.get(&xxh3_64(word.as_bytes())).map(Vec::as_slice).unwrap_or_default();
    entries.iter().find(|(rest, _)| rest.is_empty()).map_or(Kinds::default(), |found| found.1)
}

/// Every list with its kind. A word may be in several.
const LISTS: [(usize, &str); KINDS] = [
    (COUNTER, COUNTERS),
    (TIME, TIMES),
    (AGO, AGOS),
    (STAMP, STAMPS),
    (COPYRIGHT, "copyright copyrights copyrighted copr 版权所有 版權所有 著作権 авторские_права"),
    (SESSION, "session sid csrf nonce token request_id trace_id ray_id etag cachebuster sessionid"),
    (CHECKSUM, "md5 sha1 sha224 sha256 sha384 sha512 sha checksum crc32 blake2 blake3 fingerprint"),
    (MONTH, MONTHS),
    (WEEKDAY, WEEKDAYS),
    (CLOCK, "am pm uhr utc gmt cet cest est edt pst pdt msk kst jst ist o'clock klo heures"),
    (DATE, "年 月 日 号 號 년 월 일"),
    (VERSION, VERSIONS),
    (SOFTWARE, SOFTWARES),
    (NAMING, NAMINGS),
    (UNIT, UNITS),
    (CURRENCY, CURRENCIES),
    (WEATHER, WEATHERS),
    (TECHNICAL, TECHNICALS),
    (ORDINAL, "st nd rd th er re ère ème e º ª o a й го ый ая ое я ой ти ва η ο te de ste"),
    (DATED, "ngày tháng năm วันที่ 令和 平成 昭和 民国 พ.ศ. ค.ศ. 公元 西暦 el_día tanggal"),
    (RETURN, RETURNS),
    (NUMBERED, NUMBEREDS),
    (LINE, "at_line in_line on_line in_zeile auf_zeile à_la_ligne en_la_línea na_linha alla_riga"),
    (ARCHITECTURE, ARCHITECTURES),
    (PLATFORM, "pc arm mips alpha hard_float soft_float little_endian big_endian"),
];

const NUMBEREDS: &str = "section sections chapter chapters appendix table tables figure figures \
    example abschnitt kapitel anhang tabelle abbildung beispiel chapitre annexe tableau figure \
    sección capítulo apéndice tabla figura secção seção apêndice tabela sezione capitolo \
    appendice tabella sectie paragraaf hoofdstuk bijlage tabel figuur avsnitt bilaga tabell \
    figur afsnit tillæg oddíl sekce kapitola příloha tabulka rozdział sekcja dodatek tabela \
    раздел раздела разделе разд глава главе приложение таблица рисунок розділ додаток \
    τμήμα ενότητα κεφάλαιο παράρτημα πίνακας secțiune secțiunea capitolul anexa tabelul bagian \
    bab lampiran tabel phần mục chương bölüm tablo fejezet szakasz táblázat luku taulukko \
    章 节 節 절 장 표 表 图 図";

const ARCHITECTURES: &str = "x86 x86_64 x86-64 x64 i386 i486 i586 i686 ia32 amd64 arm64 aarch64 \
    armhf armel armv5 armv6 armv7 armv7l armv8 armv9 mips64 mips64el mips64le mips32 mipsel mipsle \
    ppc64 ppc64el ppc64le powerpc powerpc64 powerpcspe s390x s390 s/390 riscv riscv32 riscv64 \
    risc-v ia64 itanium sparc sparc64 hppa hppa64 m68k loong64 loongarch64 sh4 wasm32 \
    wasm64";

const RETURNS: &str = "back_to_page back_to_results return_to_page zurück_zu_seite \
    zurück_zur_seite \
    retour_à_la_page volver_a_la_página voltar_à_página torna_alla_pagina terug_naar_pagina \
    вернуться_на_страницу назад_на_страницу 返回第 返回列表";

const COUNTERS: &str = "views view pageviews hits comments comment replies reply downloads \
    downloaded installs likes shares votes vote upvotes visitors visitor visits followers \
    subscribers reviews review ratings clicks plays watching retweets posts beiträge сообщений \
    帖子 users_online members_online guests_online viewed viewers impressions favorites \
    favourites aufrufe aufruf kommentare kommentar antworten besucher zugriffe bewertungen \
    klicks mal_gelesen mal_angesehen vues commentaires commentaire réponses téléchargements \
    visiteurs lectures_de_la_page abonnés vistas visitas comentarios comentario respuestas \
    descargas visitantes seguidores me_gusta visualizações visualização comentários comentário \
    respostas curtidas visualizzazioni commenti commento risposte visite visitatori weergaven \
    reacties bezoekers keer_bekeken wyświetleń wyświetlenia komentarzy komentarze odpowiedzi \
    pobrań odwiedzin odsłon просмотров просмотры просмотра просмотр комментариев комментарии \
    комментария комментарий ответов ответы скачиваний загрузок посетителей лайков подписчиков \
    прочитано отзывов отзывы голосов переглядів перегляди коментарів коментарі завантажень \
    zobrazení zobrazeno komentářů komentáře stažení megtekintés hozzászólás vizualizări \
    comentarii visningar kommentarer nedladdningar besökare visninger nedlastinger \
    katselukertaa kommenttia kommentit görüntülenme görüntüleme yorum yorumlar okunma indirme \
    beğeni lượt_xem bình_luận lượt_tải lượt_thích lượt_truy_cập dilihat komentar unduhan \
    προβολές σχόλια λήψεις צפיות תגובות הורדות مشاهدة مشاهدات المشاهدات تعليق تعليقات التعليقات \
    تحميلات زيارة زيارات بازدید نظرات دیدگاه دانلود व्यूज टिप्पणियाँ टिप्पणियां टिप्पणी \
    बार_देखा মন্তব্য বার_পঠিত ভিউ เข้าชม ความคิดเห็น ดาวน์โหลด ยอดวิว 阅读 浏览 閱讀 瀏覽 点击 點擊 评论 評論 \
    回复 回覆 下载 下載 点赞 點讚 播放 人气 人氣 热度 回帖 查看 收藏 留言 次浏览 次阅读 次播放 次下载 条评论 条回复 则留言 人阅读 人浏览 個回覆 閲覧 閲覧数 \
    コメント 件のコメント ダウンロード 回視聴 回再生 いいね 再生 アクセス 조회 조회수 댓글 추천 다운로드 좋아요 회_조회";

const TIMES: &str = "second seconds sec secs minute minutes min mins hour hours hr hrs h day \
    days week weeks month months year years yrs sekunde sekunden minuten std stunde stunden tag \
    tage tagen woche wochen monat monate monaten jahr jahre jahren seconde secondes heure \
    heures jour jours semaine semaines mois an ans segundo segundos minuto minutos hora horas \
    día días semana semanas mes meses año años dia dias mês ano anos secondi minuti ora ore \
    giorno giorni settimana settimane mese mesi anno anni seconden uur uren dag dagen weken \
    maand maanden jaar sekund minut minuty minutę godz godzin godziny godzinę dni dzień tygodni \
    tygodnie miesięcy lat dana sati дана сати секунд секунды сек минут минуты минуту мин час \
    часа часов ч день дня дней неделю недели недель месяц месяца месяцев год года лет хвилин \
    хвилини годин години днів тижнів місяців років minutami hodin hodinami hodiny dny dnů dní \
    týdny órája perce napja órával zile sekunder minuter timmar timme dagar veckor månader år \
    timer dage uger måneder tuntia tunti päivää viikkoa minuuttia kuukautta saniye dakika saat \
    gün hafta ay yıl phút giờ ngày tuần tháng năm giây detik menit jam hari minggu bulan tahun \
    λεπτά ώρες ώρα ημέρες μέρες εβδομάδες דקות שעות שעה ימים שבועות דקה ثانية دقيقة دقائق ساعة \
    ساعات يوم أيام أسبوع أسابيع شهر أشهر سنة سنوات دقیقه ساعت روز هفته ماه سال सेकंड मिनट घंटे \
    घंटा दिन सप्ताह महीने साल मिनिट মিনিট ঘণ্টা দিন সপ্তাহ মাস นาที ชั่วโมง วัน สัปดาห์ เดือน \
    ปี 分钟 小时 天 周 个月 分鐘 小時 個月 秒 秒钟 时 時 点 分 時間 日間 週間 ヶ月 か月 年間 年 月 日 초 분 시간 시 일 주 개월 년";

const AGOS: &str = "ago zuvor назад тому geleden sedan siden sitten temu zpět önce 前 以前 전 trước \
    ที่แล้ว ที่ผ่านมา पहले আগে lalu yang_lalu iliyopita atrás fa nazaj vor il_y_a hace há před \
    przed acum prieš prije пре преди πριν منذ قبل לפני پیش ezelőtt 분전 시간전 일전 분_전 시간_전";

const STAMPS: &str = "updated modified posted published generated rendered retrieved fetched \
    captured cached created edited dated last_updated last_modified last_changed page_generated \
    took loaded elapsed load_time response_time execution_time queries joined registered \
    aktualisiert aktualisierung stand geändert veröffentlicht erstellt datum abgerufen \
    generiert mis_à_jour mise_à_jour modifié publié généré consulté actualizado actualización \
    publicado modificado generado fecha atualizado atualização gerado aggiornato aggiornamento \
    pubblicato modificato bijgewerkt gewijzigd geplaatst zaktualizowano aktualizacja \
    opublikowano dodano обновлено обновлён обновлен обновление опубликовано изменено дата \
    создано добавлено сгенерировано оновлено опубліковано aktualizováno zveřejněno frissítve \
    közzétéve actualizat publicat uppdaterad publicerad opdateret oppdatert publisert \
    päivitetty julkaistu güncelleme güncellendi yayınlanma tarih tarihi cập_nhật đăng_lúc \
    diperbarui diterbitkan ενημέρωση δημοσιεύτηκε ημερομηνία עודכן פורסם עדכון تحديث آخر_تحديث \
    نشر تاريخ تاریخ به‌روزرسانی अपडेट अद्यतन प्रकाशित আপডেট প্রকাশিত อัปเดต เผยแพร่ 更新 发布 發布 发表 \
    發表 时间 時間 日期 修改 编辑 公開 投稿 作成 最終更新 업데이트 수정 등록 작성 게시 입력 date";

const MONTHS: &str = "january february march april may june july august september october \
    november december jan feb mar apr jun jul aug sep sept oct nov dec januar februar märz mai \
    juni juli oktober dezember jänner okt dez janvier février mars avril juin juillet août \
    septembre octobre novembre décembre janv févr avr juil déc enero febrero marzo abril mayo \
    junio julio agosto septiembre setiembre octubre noviembre diciembre ene abr ago dic janeiro \
    fevereiro março maio junho julho setembro outubro novembro dezembro gennaio febbraio aprile \
    maggio giugno luglio settembre ottobre dicembre gen mag giu lug ott januari februari maart \
    mei augustus stycznia lutego marca kwietnia maja czerwca lipca sierpnia września \
    października listopada grudnia января февраля марта апреля мая июня июля августа сентября \
    октября ноября декабря янв фев мар апр июн июл авг сен окт ноя дек январь февраль март \
    апрель май июнь июль август сентябрь октябрь ноябрь декабрь січня лютого березня квітня \
    травня червня липня серпня вересня жовтня листопада грудня ledna února března dubna května \
    června července srpna září října prosince január február március április május június \
    július szeptember október ianuarie februarie martie aprilie iunie iulie septembrie \
    octombrie noiembrie decembrie augusti desember marts maj tammikuuta helmikuuta maaliskuuta \
    huhtikuuta toukokuuta kesäkuuta heinäkuuta elokuuta syyskuuta lokakuuta marraskuuta \
    joulukuuta ocak şubat mart nisan mayıs haziran temmuz ağustos eylül ekim kasım aralık maret \
    agustus ιανουαρίου φεβρουαρίου μαρτίου απριλίου μαΐου ιουνίου ιουλίου αυγούστου σεπτεμβρίου \
    οκτωβρίου νοεμβρίου δεκεμβρίου בינואר בפברואר במרץ באפריל במאי ביוני ביולי באוגוסט בספטמבר \
    באוקטובר בנובמבר בדצמבר ינואר פברואר מרץ אפריל מאי יוני יולי אוגוסט ספטמבר אוקטובר נובמבר \
    דצמבר يناير فبراير مارس أبريل إبريل مايو يونيو يوليو أغسطس سبتمبر أكتوبر نوفمبر ديسمبر \
    كانون شباط آذار نيسان أيار حزيران تموز آب أيلول تشرين محرم صفر رجب شعبان رمضان شوال فروردین \
    اردیبهشت خرداد تیر مرداد شهریور مهر آبان آذر دی بهمن اسفند जनवरी फरवरी फ़रवरी मार्च अप्रैल \
    मई जून जुलाई अगस्त सितंबर सितम्बर अक्टूबर अक्तूबर नवंबर नवम्बर दिसंबर दिसम्बर জানুয়ারি \
    ফেব্রুয়ারি মার্চ এপ্রিল মে জুন জুলাই আগস্ট সেপ্টেম্বর অক্টোবর নভেম্বর ডিসেম্বর มกราคม \
    กุมภาพันธ์ มีนาคม เมษายน พฤษภาคม มิถุนายน กรกฎาคม สิงหาคม กันยายน ตุลาคม พฤศจิกายน ธันวาคม \
    ม.ค. ก.พ. มี.ค. เม.ย. พ.ค. มิ.ย. ก.ค. ส.ค. ก.ย. ต.ค. พ.ย. ธ.ค. មករា កុម្ភៈ មីនា មេសា ឧសភា \
    មិថុនា កក្កដា សីហា កញ្ញា តុលា វិច្ឆិកា ធ្នូ";

const WEEKDAYS: &str = "monday tuesday wednesday thursday friday saturday sunday mon tue tues \
    wed thu thur thurs fri sat sun montag dienstag mittwoch donnerstag freitag samstag \
    sonnabend sonntag lundi mardi mercredi jeudi vendredi samedi dimanche lunes martes \
    miércoles jueves viernes sábado domingo segunda terça quarta quinta sexta lunedì martedì \
    mercoledì giovedì venerdì sabato domenica maandag dinsdag woensdag donderdag vrijdag \
    zaterdag zondag poniedziałek wtorek środa czwartek piątek sobota niedziela понедельник \
    вторник среда четверг пятница суббота воскресенье пн вт ср чт пт сб вс måndag tisdag onsdag \
    torsdag fredag lördag söndag pazartesi salı çarşamba perşembe cuma cumartesi pazar الاثنين \
    الثلاثاء الأربعاء الخميس الجمعة السبت الأحد सोमवार मंगलवार बुधवार गुरुवार शुक्रवार शनिवार \
    रविवार 周一 周二 周三 周四 周五 周六 周日 星期一 星期二 星期三 星期四 星期五 星期六 星期日 月曜日 火曜日 水曜日 木曜日 金曜日 土曜日 日曜日 월요일 화요일 \
    수요일 목요일 금요일 토요일 일요일";

const VERSIONS: &str = "version versions v ver vers release releases rev revision build edition \
    patch firmware changelog snapshot beta alpha rc milestone auflage ausgabe fassung édition \
    révision versión edición revisión versão edição revisão versione edizione revisione versie \
    editie druk wersja wersji wydanie версия версии версию версией релиз редакция издание \
    сборка сборки версія версії verze verzi verzí vydání verzió versiune versiunea ediția \
    utgåva utgave udgave versio versiossa painos sürüm sürümü phiên_bản versi edisi έκδοση \
    έκδοσης גרסה גירסה الإصدار إصدار الاصدار نسخه ویرایش संस्करण সংস্করণ เวอร์ชัน เวอร์ชั่น 版本 \
    版 バージョン リリース 버전 판 verzija верзија издания";

const SOFTWARES: &str = "debian ubuntu fedora centos rhel suse opensuse alpine gentoo freebsd \
    openbsd netbsd solaris linux windows macos osx android ios python perl ruby php java jdk \
    openjdk jre node nodejs npm rust cargo gcc clang llvm lld lldb mlir flang polly libc boost \
    qt gtk gnome kde django rails flask numpy pandas scipy hibernate tomcat apache nginx mysql \
    mariadb postgresql postgres sqlite mongodb redis docker kubernetes git svn subversion \
    firefox chrome chromium thunderbird libreoffice openoffice emacs vim bash zsh openssl \
    openssh glibc libstdc musl ghc erlang otp elixir scala kotlin swift golang lua tcl cmake \
    qemu xen vmware virtualbox wordpress drupal joomla typo3 mediawiki phpbb vbulletin discuz \
    xenforo moodle magento angular react vue jquery bootstrap opengl vulkan cuda directx \
    ecmascript unicode texlive kernel debhelper dpkg apt systemd sphinx doxygen maven gradle";

const NAMINGS: &str = "model modell modèle modelo modello модель модели modelu 型号 型號 品番 型番 모델 \
    mã_số mã sku mpn gtin ean upc isbn issn doi asin article articles art artikel artikelnr \
    артикул арт part teil teilenummer pièce référence ref réf referencia ref. item cat catalog \
    code kode код código codice nr no num number numbers numero número nummer номер n số 番号 编号 \
    編號 货号 번호 رقم شماره מספר क्रमांक संख्या নং หมายเลข numer číslo paragraph section sections \
    раздел раздела разделе розділ secțiune secțiunea capitolul sekce oddíl část kapitola \
    κεφάλαιο ενότητα paragraaf sectie sección sezione seção 節 节 篇 단원 절 sec sect abschnitt \
    paragraf absatz abs act law gesetz loi ley lei legge закон закона статья статьи ст пункт \
    пункта ustawa zákon zákona artículo artigo articolo artykuł madde điều luật 条 第 조 제 المادة \
    القانون ماده धारा अनुच्छेद ধারা มาตรา chapter chapters kapitel chapitre capítulo capitolo \
    глава главы rozdział hoofdstuk bölüm chương 章 장 فصل الفصل अध्याय บทที่ page pages seite \
    seiten página pagina страница страницы стр strona side sida sivu sayfa trang halaman 页 頁 \
    ページ 페이지 صفحة صفحه पृष्ठ หน้า p pp figure fig abb abbildung table tab tableau tabelle tabla \
    рис таблица road route rd highway hwy street str strasse rue calle via ul ulica улица ул \
    дом avenue ave interstate motorway autoroute bundesstrasse autobahn line linie ligne línea \
    linea линия маршрут bus tram train flight flug zug room zimmer apt apartment suite flat \
    house phone tel telephone telefon téléphone teléfono telefone telefono fax телефон тел факс \
    mobile tlf 电话 電話 전화 هاتف تلفن טלפון फ़ोन फोन โทร điện_thoại zip plz postal postcode cep cap \
    индекс 邮编 郵便番号 size grösse taille talla taglia tamanho размер rozmiar 尺码 サイズ cas iban bic \
    account konto счет счёт order bestellung bestellnummer id identifier volume vol band tome \
    том issue heft episode folge épisode episodio season staffel saison серия сезон lesson \
    lektion leçon урок level grade class klasse класс lot batch charge serial patent bug ticket \
    cve rfc iso din ieee psalm verse latitude longitude lat lon question exercise problem \
    district zone gate platform type typ pr rule regel règle step schritt étape шаг appendix \
    anhang channel kanal canal canale port series serie série";

const UNITS: &str = "mm cm dm m km µm nm inch inches zoll дюйм дюймов ft feet foot yd mi mile \
    miles mg g kg µg mcg ug t lb lbs oz ml cl dl l liter litre liters litres gal gallon gallons \
    мм см м км мг г кг мл л т gb mb tb kb gib mib kib tib bit bits byte bytes гб мб тб кб mhz \
    ghz khz hz гц ггц мгц v kv mv volt volts вт квт w kw mw kwh watt watts ps hp лс ah mah a ma \
    amp amps ohm ohms ω db lm lx pa bar psi mbar hpa kn rpm kmh km/h mph kcal cal kj iu ie mol \
    mmol ppm percent prozent процент процента процентов people persons personen personnes \
    personas человек pieces pcs stück stk pièces piezas pezzi шт штук szt adet chiếc cái \
    tablets tablet tabletten comprimés таблеток tabletki rooms bedrooms seats doors gears gänge \
    megapixel mp px pixel pixels dpi stars sterne étoiles players kapseln capsules drops \
    tropfen gramm gram grams gramme grammes kilogram kilometer kilometers kilometres kilometern \
    meter meters metres metern metri metros mètres 毫米 厘米 公里 米 千克 公斤 克 毫克 毫升 升 平方米 坪 個 个 人 枚 件 本 \
    台 片 錠 号室 개 명 정 매 대 ミリ センチ メートル キロ グラム リットル m² cm² mm² m³ cm³ مم سم كم كجم ملغ مجم مل غرام \
    ملم جم میلی‌گرم گرم متر मिमी किमी ग्राम किग्रा मिलीग्राम मिग्रा मीटर মিগ্রা গ্রাম কেজি \
    মিলিগ্রাম มม. ซม. กม. กก. มก. มล. มิลลิกรัม กรัม เมตร viên hộp gói mét gam ק״ג מ״ג מ״מ גרם";

const CURRENCIES: &str = "eur euro euros usd gbp chf jpy cny rmb rub руб рубль рублей рубля krw \
    inr rs rupee rupees dollar dollars pounds yen yuan 元 円 圓 원 zł pln kč czk kr sek nok dkk huf \
    ft lei ron лв bgn грн uah tl try vnd đ đồng idr rp rupiah brl reais mxn pesos aud cad nzd \
    sgd hkd twd thb บาท baht sar aed ريال درهم دينار جنيه تومان ریال ils nis ש״ח रुपये रुपए \
    টাকা";

const WEATHERS: &str = "weather forecast humidity feels_like погода погоды прогноз влажность \
    wetter vorhersage luftfeuchtigkeit météo humidité clima pronóstico humedad meteo umidità \
    previsão hava_durumu pogoda wilgotność počasí väder sää vejr vær idojárás thời_tiết \
    nhiệt_độ cuaca สภาพอากาศ อุณหภูมิ طقس الطقس رطوبة आब_हवा मौसम আবহাওয়া 天气 天氣 气温 氣溫 気温 湿度 날씨 \
    기온 καιρός מזג_האוויר";

const TECHNICALS: &str = "utf8 utf16 utf32 latin1 mp3 mp4 h264 h265 mpeg4 i18n l10n k8s ipv4 ipv6 \
    http2 web2 b2b b2c win32 win64 base64 float32 float64 int8 int16 int32 int64 uint8 uint16 \
    uint32 uint64 md5 sha1 sha256 sha512 crc32 ext2 ext3 ext4 bzip2 7z h1 h2 h3 h4 h5 h6 3d 2d 4k \
    co2 h2o";

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Words {
        let mut normal = Text::new();
        normal.normalise(Rules::V1, text);
        let mut words = Words::new();
        words.read(&normal);
        words
    }

    #[test]
    fn lists_are_in_the_order_of_their_kinds() {
        for (at, (kind, list)) in LISTS.iter().enumerate() {
            assert_eq!(at, *kind);
            for entry in list.split_whitespace() {
                assert!(!words(entry).is_empty(), "{entry}");
            }
        }
    }

    #[test]
    fn entries_are_found_as_they_are_written() {
        for (text, length, kind) in [
            ("Views", 1, COUNTER),
            ("阅读", 2, COUNTER),
            ("il y a", 3, AGO),
            ("lượt xem", 2, COUNTER),
            ("ΠΡΟΒΟΛΈΣ", 1, COUNTER),
            ("กรกฎาคม", 7, MONTH),
            ("Größe", 1, NAMING),
            ("последнее", 1, KINDS),
            ("минут", 1, TIME),
            ("版本", 2, VERSION),
            ("版", 1, VERSION),
            ("月曜日", 3, WEEKDAY),
            ("月", 1, DATE),
        ] {
            let (found, kinds) = entry(&words(text), 0);
            assert_eq!((found, kinds.has(kind)), (length, kind < KINDS), "{text}");
        }
        assert!(kinds("mm").has(UNIT) && !kinds("mm").any(&[TIME, AGO]));
        assert_eq!(kinds("阅"), Kinds::default());
    }
}

//! What pages say that are not there: phrases of titles and headings, by language.

/// Language, and its phrases in lower case.
const PHRASES: &[(&str, &[&str])] = &[
    (
        "en",
        &[
            "page not found",
            "404 not found",
            "404 error",
            "error 404",
            "not found (404",
            "404 page",
            "page doesn't exist",
            "page does not exist",
            "page no longer exists",
            "page is no longer available",
            "page isn't available",
            "page is not available",
            "page unavailable",
            "page can't be found",
            "page cannot be found",
            "page could not be found",
            "page couldn't be found",
            "page was not found",
            "page wasn't found",
            "page has moved or",
            "can't find that page",
            "can't find the page",
            "couldn't find that page",
            "couldn't find the page",
            "nothing found",
            "nothing was found",
            "product not found",
            "item not found",
            "article not found",
            "post not found",
            "file not found",
            "content not found",
            "no longer available",
        ],
    ),
    (
        "de",
        &[
            "seite nicht gefunden",
            "seite wurde nicht gefunden",
            "seite konnte nicht gefunden werden",
            "seite existiert nicht",
            "seite ist nicht verfügbar",
            "seite nicht verfügbar",
            "seite gibt es nicht",
            "fehler 404",
            "404 fehler",
            "404-fehler",
            "404 nicht gefunden",
            "nichts gefunden",
            "artikel nicht gefunden",
            "produkt nicht gefunden",
            "nicht mehr verfügbar",
        ],
    ),
    (
        "fr",
        &[
            "page introuvable",
            "page non trouvée",
            "page n'existe pas",
            "page n'existe plus",
            "page n'a pas été trouvée",
            "page n'est pas disponible",
            "erreur 404",
            "produit introuvable",
            "article introuvable",
            "rien trouvé",
        ],
    ),
    (
        "es",
        &[
            "página no encontrada",
            "pagina no encontrada",
            "no se encontró la página",
            "no se encuentra la página",
            "página no existe",
            "página no está disponible",
            "no encontrado",
            "producto no encontrado",
        ],
    ),
    (
        "it",
        &[
            "pagina non trovata",
            "pagina non esiste",
            "pagina non disponibile",
            "errore 404",
            "prodotto non trovato",
            "articolo non trovato",
        ],
    ),
    (
        "pt",
        &[
            "página não encontrada",
            "página não existe",
            "erro 404",
            "produto não encontrado",
            "não encontrada",
        ],
    ),
    (
        "nl",
        &[
            "pagina niet gevonden",
            "pagina bestaat niet",
            "fout 404",
            "404 fout",
            "product niet gevonden",
            "niet gevonden",
        ],
    ),
    ("sv", &["sidan hittades inte", "sidan kunde inte hittas", "sidan finns inte", "hittades inte"]),
    ("da", &["siden blev ikke fundet", "siden findes ikke", "siden kunne ikke findes", "fejl 404"]),
    ("no", &["siden ble ikke funnet", "fant ikke siden", "siden finnes ikke", "feil 404"]),
    ("fi", &["sivua ei löytynyt", "sivua ei löydy", "virhe 404"]),
    ("pl", &["strona nie istnieje", "nie znaleziono strony", "strony nie znaleziono", "błąd 404"]),
    ("cs", &["stránka nenalezena", "stránka nebyla nalezena", "stránka neexistuje", "chyba 404"]),
    ("sk", &["stránka sa nenašla", "stránka nebola nájdená"]),
    ("hu", &["az oldal nem található", "a keresett oldal nem található", "404-es hiba"]),
    ("ro", &["pagina nu a fost găsită", "pagina nu există", "eroare 404"]),
    ("el", &["η σελίδα δεν βρέθηκε", "σφάλμα 404"]),
    ("tr", &["sayfa bulunamadı", "404 hatası"]),
    ("ru", &["страница не найдена", "страница не существует", "ошибка 404", "ничего не найдено"]),
    ("uk", &["сторінку не знайдено", "сторінка не знайдена", "помилка 404"]),
    ("ja", &["ページが見つかりません", "ページは見つかりません", "お探しのページ"]),
    ("ko", &["페이지를 찾을 수 없습니다"]),
    ("zh", &["页面不存在", "找不到页面", "页面未找到", "頁面不存在", "找不到頁面", "404错误"]),
    ("ar", &["الصفحة غير موجودة", "لم يتم العثور على الصفحة"]),
    ("he", &["הדף לא נמצא", "העמוד לא נמצא"]),
    ("vi", &["không tìm thấy trang"]),
    ("id", &["halaman tidak ditemukan"]),
];

/// Longer texts are sentences of an article rather than the name of an error page, in characters.
const LONGEST: usize = 120;

/// Whether a title or heading says that there is nothing here.
pub(crate) fn says_not_found(text: &str) -> bool {
    if text.chars().count() > LONGEST {
        return false;
    }
    let text =
        text.to_lowercase().replace(['\u{2019}', '\u{2bc}', '`'], "'").replace(['\u{2013}', '\u{2014}'], "-");
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    // Alone, or as the first or last part of a title.
    let parts = text
        .split(['|', '·', ':', '-', '»', '•'])
        .map(|part| part.trim_matches(|c: char| !c.is_alphanumeric()));
    parts.into_iter().any(|part| matches!(part, "404" | "not found" | "404 not found"))
        || PHRASES.iter().flat_map(|(_, phrases)| *phrases).any(|phrase| text.contains(phrase))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn error_pages_are_told_by_what_they_call_themselves() {
        let check = |text: &str, expect: bool| assert_eq!(says_not_found(text), expect, "{text}");
        check("404", true);
        check("404 | Tea shop", true);
        check("Not found – Tea shop", true);
        check("Oops! That page can’t be found.", true);
        check("Seite nicht  gefunden - Teeladen", true);
        check("СТРАНИЦА НЕ НАЙДЕНА", true);
        check("ページが見つかりません", true);
        check("Lost and found", false);
        check("Peugeot 404 Cabriolet", false);
        check("", false);
        check(&format!("Page not found {}", "and what became of it ".repeat(10)), false);
    }

    #[test]
    fn phrases_are_lower_case_and_of_one_language() {
        let mut seen = std::collections::BTreeSet::new();
        for (language, phrases) in PHRASES {
            assert!(seen.insert(*language), "{language}");
            for phrase in *phrases {
                assert_eq!(phrase.to_lowercase(), *phrase, "{language}");
            }
        }
    }
}

use super::*;

fn parsed(text: &str) -> SearchQuery {
    text.parse().unwrap_or_else(|bad| panic!("{text}: {bad}"))
}

fn shown(text: &str) -> String {
    parsed(text).to_string()
}

#[test]
fn words_are_wanted_each_and_the_last_is_a_beginning() {
    assert_eq!(shown("Red CAR"), "\"red\" car");
    assert_eq!(shown("red car "), "\"red\" \"car\"");
    assert_eq!(shown("\"red car\""), "\"red\" \"car\"");
    assert_eq!(shown("img_2024"), "\"img\" 2024");
    assert_eq!(shown("car."), "\"car\"");
    assert_eq!(shown("12:30 x"), "\"12\" \"30\" x");
    assert_eq!(shown("cafe\u{301}"), "café");
    assert_eq!(parsed("  "), SearchQuery::default());
}

#[test]
fn a_minus_turns_any_test_round() {
    assert_eq!(shown("-car"), "-\"car\"");
    assert_eq!(shown("-red_car sun"), "-\"red car\" sun");
    assert_eq!(shown("-tag:x -is:shared"), "-tag:\"x\" -is:shared");
}

#[test]
fn every_key_has_its_values() {
    assert_eq!(shown("tag:\"Red  Car\""), "tag:\"red car\"");
    assert_eq!(shown(r#"tag:"say \"hi\" \\ ""#), r#"tag:"say \"hi\" \\""#);
    assert_eq!(shown("person:person7 PERSON:\"Ada L\""), "person:person7 person:\"ada l\"");
    assert_eq!(
        shown("person:Me person:\"me\" person:meg"),
        "person:me person:\"me\" person:\"meg\""
    );
    assert_eq!(shown("album:01ARZ3NDEKTSV4RRFFQ69G5FAV"), "album:01ARZ3NDEKTSV4RRFFQ69G5FAV");
    assert_eq!(shown("album:Summer_24"), "album:\"summer 24\"");
    assert_eq!(shown("owner:ME"), "owner:me");
    assert_eq!(shown("owner:Ada@Example.org"), "owner:\"ada@example.org\"");
    assert_eq!(shown("type:JPG type:image/png"), "type:jpeg type:png");
    assert_eq!(shown("camera:\"Canon EOS\""), "camera:\"canon eos\"");
    assert_eq!(shown("taken:2024-05..2024-06"), "taken:2024-05-01..2024-06-30");
    assert_eq!(shown("is:favorite"), "is:favourite");
    assert_eq!(shown("artist:\"Ansel Adams\""), "artist:\"ansel adams\"");
    assert_eq!(shown("place:Köln"), "place:\"köln\"");
    assert_eq!(shown("rating:>=4 -rating:-1 rating:2"), "rating:4.. rating:2 -rating:-1");
}

#[test]
fn what_is_wrong_is_told_with_its_place() {
    for (text, offset, found, says) in [
        ("été colour:red", 4, "colour", "the keys are"),
        ("red tag:", 8, "", "nothing follows tag:"),
        ("red - car", 4, "-", "nothing follows the minus"),
        ("tag:\"red", 4, "\"", "not closed"),
        ("\"red\"car", 5, "car", "a space is missing"),
        ("a type:mp3", 7, "mp3", "avif, bmp"),
        ("is:nice", 3, "nice", "favourite"),
        ("rating:6", 7, "6", "4.."),
        ("taken:2024-13", 6, "2024-13", "2024-05..2024-06"),
        ("owner:you", 6, "you", "neither me nor"),
        ("red !!!", 4, "!!!", "no word"),
        ("-camera:...", 8, "...", "no word"),
    ] {
        let bad = text.parse::<SearchQuery>().unwrap_err();
        assert_eq!((bad.offset, bad.found.as_str()), (offset, found), "{text}");
        assert!(bad.to_string().contains(says), "{text}: {bad}");
        assert!(bad.to_string().starts_with(&format!("at character {}", offset + 1)));
    }
    let long = format!("tag:{}", "x".repeat(51)).parse::<SearchQuery>().unwrap_err();
    assert_eq!(long.offset, 4);
}

#[test]
fn length_and_parts_are_limited() {
    assert!("x".repeat(SEARCH_CHARS_MAX).parse::<SearchQuery>().is_ok());
    let bad = "x".repeat(SEARCH_CHARS_MAX + 1).parse::<SearchQuery>().unwrap_err();
    assert_eq!(bad.offset, SEARCH_CHARS_MAX);
    assert!("x ".repeat(SEARCH_TESTS_MAX).parse::<SearchQuery>().is_ok());
    assert!("x ".repeat(SEARCH_TESTS_MAX + 1).parse::<SearchQuery>().is_err());
}

/// Numbers that look random (SplitMix64), so that every run tries the same texts.
struct Dice(u64);

impl Dice {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        usize::try_from((mixed ^ (mixed >> 31)) % end as u64).unwrap()
    }
}

#[test]
fn any_text_is_understood_or_refused_and_what_is_understood_can_be_written() {
    const PIECES: [&str; 35] = [
        "a",
        "Bé",
        "9",
        "日本",
        "ﬀ",
        "İ",
        " ",
        "  ",
        "\t",
        "-",
        "\"",
        "\\",
        ":",
        "..",
        "_",
        "'",
        "#",
        "\u{301}",
        "\u{0}",
        "tag:",
        "person:",
        "album:",
        "owner:",
        "type:",
        "camera:",
        "taken:",
        "is:",
        "me",
        "jpeg",
        "favourite",
        "2024",
        "2024-05",
        "person3",
        "me",
        "x@y.z",
    ];
    let mut dice = Dice(7);
    let mut understood = 0;
    for _ in 0..20_000 {
        let count = dice.below(9);
        let text: String = (0..count).map(|_| PIECES[dice.below(PIECES.len())]).collect();
        match text.parse::<SearchQuery>() {
            Ok(query) => {
                understood += 1;
                let written = query.to_string();
                let again: SearchQuery =
                    written.parse().unwrap_or_else(|bad| panic!("{text:?}: {written:?}: {bad}"));
                assert_eq!(again.to_string(), written, "{text:?}");
                assert_eq!(again, in_written_order(query), "{text:?}");
            }
            Err(bad) => assert!(bad.offset <= text.chars().count(), "{text:?}: {bad:?}"),
        }
    }
    assert!(understood > 2_000, "{understood}");
}

/// The same with the beginning of a word at the end, where it is written.
fn in_written_order(mut query: SearchQuery) -> SearchQuery {
    query.wanted.sort_by_key(|test| matches!(test, SearchTest::Beginning(_)));
    query
}

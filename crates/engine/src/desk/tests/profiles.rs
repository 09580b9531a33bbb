//! Profiles as the settings screen makes, changes, imports and exports them.

use super::*;

#[test]
fn profiles_are_made_changed_and_removed() {
    let room = room();
    let names = |cards: &[ProfileCard]| cards.iter().map(|card| card.name.clone()).collect::<Vec<_>>();
    let cards = room.desk.profiles().unwrap();
    assert_eq!(names(&cards), ["Default"]);
    assert_eq!((cards[0].changed, cards[0].removable), (0, false));
    let cards = room.desk.create_profile("Staging / slow", "Default").unwrap();
    assert_eq!(names(&cards), ["Default", "Staging---slow"]);
    let name = "Staging---slow";
    let row = |form: &SettingsForm, id: &str| {
        let mut rows = form.sections.iter().flat_map(|section| &section.settings);
        rows.find(|row| row.id == id).cloned().unwrap()
    };
    let set = |id: &str, text: Option<&str>| room.desk.set_setting(name, id, text);
    let form = set("pace.delay", Some("2")).unwrap();
    assert_eq!((row(&form, "pace.delay").value.as_str(), row(&form, "pace.delay").changed), ("2s", true));
    set("audit.title_max", Some("70")).unwrap();
    set("scope.rules", Some(r#"["exclude \\?sort=", "include /shop/"]"#)).unwrap();
    let card = room.desk.profiles().unwrap().remove(1);
    assert_eq!((card.changed, card.removable), (3, true));
    assert!(card.about.contains("Delay"), "{}", card.about);
    // Wrong values are refused one by one, and nothing is written.
    let before = std::fs::read(room.at("config/profiles").join(format!("{name}.toml"))).unwrap();
    let refused = |id: &str, text: &str| {
        let error = set(id, Some(text)).unwrap_err();
        assert_eq!(
            (error.code.as_str(), error.detail.len(), error.detail[0].field.as_str()),
            ("settings", 1, id)
        );
    };
    refused("fetch.timeout", "soon");
    refused("fetch.timeot", "20s");
    refused("limits.max_urls", "0");
    assert_eq!(std::fs::read(room.at("config/profiles").join(format!("{name}.toml"))).unwrap(), before);
    // Back to the default, said in either way.
    let form = set("pace.delay", None).unwrap();
    assert_eq!((row(&form, "pace.delay").value.as_str(), row(&form, "pace.delay").changed), ("0s", false));
    let form = set("audit.title_max", Some(&row(&form, "audit.title_max").default)).unwrap();
    assert!(!row(&form, "audit.title_max").changed);
    assert_eq!(room.desk.profiles().unwrap()[1].changed, 1);
    // A copy says the same; names differ by more than case; the default stays.
    room.desk.create_profile("copy", name).unwrap();
    assert_eq!(room.desk.profiles().unwrap()[1].changed, 1);
    for taken in ["COPY", "default", " "] {
        assert_eq!(
            room.desk.create_profile(taken, "Default").unwrap_err().detail[0].field,
            "name",
            "{taken}"
        );
    }
    assert_eq!(room.desk.create_profile("x", "absent").unwrap_err().code, "usage");
    assert!(room.desk.remove_profile("Default").is_err());
    assert_eq!(names(&room.desk.remove_profile("copy").unwrap()), ["Default", name]);
    // No name leads out of the folder.
    room.desk.create_profile("../../evil", "Default").unwrap();
    assert!(room.at("config/profiles/evil.toml").exists());
    assert!(room.desk.settings_form("../../etc/passwd").is_err());
}

#[test]
fn an_audit_runs_with_its_profile_under_the_settings_of_the_run() {
    let demo = Demo::start().unwrap();
    let room = room();
    let heard = room.news();
    room.desk.create_profile("few", "Default").unwrap();
    room.desk.set_setting("few", "limits.max_urls", Some("5")).unwrap();
    let mut audit = AuditForm { profile: Some("few".to_owned()), ..form(&demo.url()) };
    room.desk.start_audit(&audit).unwrap();
    let first = until_over(&heard).counts;
    audit.settings = vec![("limits.max_urls".to_owned(), "3".to_owned())];
    room.desk.start_audit(&audit).unwrap();
    let second = until_over(&heard).counts;
    assert_eq!((first.fetched + first.failed, second.fetched + second.failed), (5, 3));
}

#[test]
fn profiles_are_imported_and_exported() {
    let room = room();
    let file = room.at("agency.toml");
    let import = |text: &str| {
        std::fs::write(&file, text).unwrap();
        room.desk.import_profile(&file)
    };
    let wrong =
        import("version = 1\n[pace]\ndelay = \"soon\"\n[fetch]\ntimeout = 0\nnot_there = 1\n").unwrap_err();
    let fields: Vec<&str> = wrong.detail.iter().map(|detail| detail.field.as_str()).collect();
    assert_eq!(
        (wrong.code.as_str(), fields),
        ("settings", vec!["fetch.not_there", "fetch.timeout", "pace.delay"])
    );
    assert_eq!(import("not = [toml").unwrap_err().detail[0].field, "profile");
    assert_eq!(room.desk.profiles().unwrap().len(), 1);
    let good = "version = 1\n# For clients.\n[pace]\ndelay = \"1s\"\n";
    assert_eq!(import(good).unwrap()[1].name, "agency");
    // The name is taken now: nothing is overwritten.
    assert_eq!(import("version = 1\n").unwrap()[2].name, "agency-2");
    std::fs::create_dir(room.at("out")).unwrap();
    room.desk.export_profile("agency", &room.at("out/copy.toml")).unwrap();
    assert_eq!(std::fs::read_to_string(room.at("out/copy.toml")).unwrap(), good);
    room.desk.may_show(&room.at("out/copy.toml")).unwrap();
    assert!(room.desk.may_show(&file).is_err());
    // The default, which says nothing, is exported as the template that explains itself.
    room.desk.export_profile("Default", &room.at("default.toml")).unwrap();
    assert_eq!(std::fs::read_to_string(room.at("default.toml")).unwrap(), crate::settings_template());
}

#[test]
fn a_damaged_profile_is_listed_with_its_fault_and_can_be_put_right() {
    let room = room();
    let folder = room.at("config/profiles");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("broken.toml"), "version = 1\n[pace\n").unwrap();
    std::fs::write(
        folder.join("wrong.toml"),
        "version = 1\n[pace]\ndelay = \"soon\"\n[limits]\nmax-urls = 7\n",
    )
    .unwrap();
    std::fs::write(folder.join("notes.txt"), "no profile").unwrap();
    let cards = room.desk.profiles().unwrap();
    assert_eq!(cards.len(), 3);
    assert!(cards[1].about.contains("cannot be read"), "{}", cards[1].about);
    assert_eq!(room.desk.settings_form("broken").unwrap_err().code, "settings");
    let form = room.desk.settings_form("wrong").unwrap();
    let delay = form
        .sections
        .iter()
        .flat_map(|section| &section.settings)
        .find(|row| row.id == "pace.delay")
        .unwrap();
    assert_eq!((delay.value.as_str(), delay.changed), ("soon", true));
    // Another setting can be changed meanwhile, under either spelling; values survive.
    room.desk.set_setting("wrong", "limits.max_urls", Some("8")).unwrap();
    room.desk.set_setting("wrong", "pace.delay", Some("3s")).unwrap();
    let text = std::fs::read_to_string(folder.join("wrong.toml")).unwrap();
    assert!(
        text.contains("max_urls = 8") && !text.contains("max-urls") && text.contains("delay = \"3s\""),
        "{text}"
    );
    // An audit with a broken profile names the fault.
    let audit = AuditForm { profile: Some("broken".to_owned()), ..AuditForm::default() };
    let error = room.desk.start_audit(&audit).unwrap_err();
    assert_eq!(
        error.detail.iter().map(|detail| detail.field.as_str()).collect::<Vec<_>>(),
        ["address", "profile"]
    );
}

#[test]
fn every_setting_stands_in_the_form_and_what_is_fixed_is_locked() {
    let form = room().desk.settings_form("default").unwrap();
    assert_eq!(form.profile, "Default");
    let rows: Vec<&SettingRow> = form.sections.iter().flat_map(|section| &section.settings).collect();
    let mut ids: Vec<String> = crate::settings().into_iter().map(|card| card.id).collect();
    let mut told: Vec<String> = rows.iter().map(|row| row.id.clone()).collect();
    ids.sort();
    told.sort();
    assert_eq!(told, ids);
    assert!(rows.iter().all(|row| !row.changed && row.value == row.default && !row.label.is_empty()));
    for section in &form.sections {
        assert!(section.title != section.id && !section.about.is_empty(), "{} has no title", section.id);
    }
    let locked: Vec<&LockedRow> = form.sections.iter().flat_map(|section| &section.locked).collect();
    // Three things that no audit does, and what a check does instead of what nine sections say.
    let (check, audit): (Vec<&LockedRow>, Vec<&LockedRow>) =
        locked.into_iter().partition(|row| row.label == "In a check");
    assert_eq!((audit.len(), check.len()), (3, 9));
    let pace = form.sections.iter().find(|section| section.id == "pace").unwrap();
    assert!(pace.locked.iter().any(|row| row.value.contains("5 on the site, 1 on any other")));
}

//! Creating, opening and recognising tables.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic)]

mod support;

use std::time::{Duration, Instant};

use aws_sdk_dynamodb::types::{
    AttributeDefinition, AttributeValue, BillingMode, KeySchemaElement, KeyType,
    ScalarAttributeType,
};
use support::canned;
use table::conformance::schema;
use table::{Error, Index, Key, Schema, Table as _};
use table_dynamodb::{
    Config, CreateOptions, CreateReport, Credentials, DynamoTable, Encryption, Feature, OpenError,
};
use testkit::servers::{Dynoxide, Ministack};

fn on_dynoxide() -> Config {
    support::config(Dynoxide::shared().endpoint(), support::new_name())
}

fn on_ministack() -> Config {
    support::config(Ministack::shared().endpoint(), support::new_name())
}

async fn create(config: &Config, schema: &Schema) -> Result<CreateReport, OpenError> {
    DynamoTable::create(config, schema, &CreateOptions::default()).await
}

async fn open(config: &Config, schema: &Schema) -> Result<DynamoTable, OpenError> {
    DynamoTable::open(config.clone(), schema.clone()).await
}

/// The SDK's own client, to make what our engine would not.
async fn client(config: &Config) -> aws_sdk_dynamodb::Client {
    let Credentials::Static { access_key_id, secret_access_key, .. } = &config.credentials else {
        panic!("test servers take static credentials");
    };
    let key = aws_credential_types::Credentials::new(
        access_key_id,
        secret_access_key,
        None,
        None,
        "test",
    );
    let settings = aws_config::defaults(aws_config::BehaviorVersion::latest())
        .region(aws_config::Region::new("us-east-1"))
        .credentials_provider(key)
        .endpoint_url(config.endpoint.clone().unwrap())
        .http_client(aws_smithy_http_client::Builder::new().build_http())
        .load()
        .await;
    aws_sdk_dynamodb::Client::new(&settings)
}

#[tokio::test]
async fn a_server_with_everything_gets_everything() {
    let config = on_ministack();
    let options = CreateOptions { deletion_protection: true, ..CreateOptions::default() };
    let report = DynamoTable::create(&config, &schema(), &options).await.unwrap();
    assert!(report.created);
    assert_eq!(report.warnings, []);
    assert_eq!(
        report.features,
        [
            Feature::TimeToLive,
            Feature::PointInTimeRecovery,
            Feature::Streams,
            Feature::Encryption,
            Feature::DeletionProtection
        ]
    );
    let table = client(&config).await.describe_table().table_name(&config.table).send().await;
    let table = table.unwrap().table.unwrap();
    let billing = table.billing_mode_summary().unwrap().billing_mode();
    assert_eq!(billing, Some(&BillingMode::PayPerRequest));
    assert_eq!(table.global_secondary_indexes().len(), schema().indexes().len());
}

#[tokio::test]
async fn what_a_server_lacks_is_a_warning() {
    let config = on_dynoxide();
    let report = create(&config, &schema()).await.unwrap();
    let lacking: Vec<_> = report.warnings.iter().map(|warning| warning.feature).collect();
    assert_eq!(lacking, [Feature::PointInTimeRecovery]);
    assert_eq!(report.features, [Feature::TimeToLive, Feature::Streams, Feature::Encryption]);
    open(&config, &schema()).await.unwrap();
}

#[tokio::test]
async fn whether_expired_items_are_removed_can_be_asked() {
    for config in [on_dynoxide(), on_ministack()] {
        create(&config, &schema()).await.unwrap();
        let table = open(&config, &schema()).await.unwrap();
        assert_eq!(table.find_expiry_attribute().await.unwrap().as_deref(), Some(table::TTL));
        let off = aws_sdk_dynamodb::types::TimeToLiveSpecification::builder()
            .attribute_name(table::TTL)
            .enabled(false)
            .build()
            .unwrap();
        let request = client(&config).await.update_time_to_live().table_name(&config.table);
        request.time_to_live_specification(off).send().await.unwrap();
        assert_eq!(table.find_expiry_attribute().await.unwrap(), None);
    }
}

#[tokio::test]
async fn amazons_own_key_needs_no_feature() {
    let options =
        CreateOptions { encryption: Encryption::AmazonOwnedKey, ..CreateOptions::default() };
    let report = DynamoTable::create(&on_dynoxide(), &schema(), &options).await.unwrap();
    assert!(report.warnings.iter().all(|warning| warning.feature != Feature::Encryption));
}

#[tokio::test]
async fn creating_again_changes_nothing() {
    for config in [on_dynoxide(), on_ministack()] {
        let first = create(&config, &schema()).await.unwrap();
        let again = create(&config, &schema()).await.unwrap();
        assert_eq!(again, CreateReport { created: false, ..first });
    }
}

#[tokio::test]
async fn racing_creators_all_succeed() {
    for config in [on_dynoxide(), on_ministack()] {
        let (schema, options) = (schema(), CreateOptions::default());
        let racers = (0..4).map(|_| DynamoTable::create(&config, &schema, &options));
        let reports = futures::future::try_join_all(racers).await.unwrap();
        assert_eq!(reports.iter().filter(|report| report.created).count(), 1);
    }
}

#[tokio::test]
async fn missing_indexes_are_named_and_then_added() {
    for config in [on_dynoxide(), on_ministack()] {
        create(&config, &Schema::new(vec![])).await.unwrap();
        let error = open(&config, &schema()).await.unwrap_err();
        let OpenError::MissingIndexes { indexes, .. } = &error else { panic!("{error}") };
        assert_eq!(indexes, &["by_text", "by_number"]);
        assert!(error.to_string().contains("ferrotype table create"), "{error}");

        let report = create(&config, &schema()).await.unwrap();
        assert_eq!(report.indexes_added, ["by_text", "by_number"]);
        open(&config, &schema()).await.unwrap();
    }
}

#[tokio::test]
async fn an_index_of_another_shape_is_refused() {
    let config = on_dynoxide();
    create(&config, &schema()).await.unwrap();
    let other = Schema::new(vec![Index::by_text("by_number", "number_partition", "number_sort")]);
    for error in [open(&config, &other).await.err(), create(&config, &other).await.err()] {
        let error = error.unwrap();
        assert!(matches!(error, OpenError::Different { .. }), "{error}");
        assert!(error.to_string().contains("\"by_number\""), "{error}");
    }
}

#[tokio::test]
async fn a_table_of_somebody_else_is_refused() {
    let config = on_dynoxide();
    let id = KeySchemaElement::builder().attribute_name("id").key_type(KeyType::Hash).build();
    let kind = AttributeDefinition::builder()
        .attribute_name("id")
        .attribute_type(ScalarAttributeType::S)
        .build();
    let request = client(&config).await.create_table().table_name(&config.table);
    let request = request.key_schema(id.unwrap()).attribute_definitions(kind.unwrap());
    request.billing_mode(BillingMode::PayPerRequest).send().await.unwrap();
    for error in [open(&config, &schema()).await.err(), create(&config, &schema()).await.err()] {
        let error = error.unwrap();
        assert!(matches!(error, OpenError::Different { .. }), "{error}");
        assert!(error.to_string().contains("id (S)"), "{error}");
    }
}

#[tokio::test]
async fn a_missing_table_says_what_to_run() {
    for config in [on_dynoxide(), on_ministack()] {
        let error = open(&config, &schema()).await.unwrap_err();
        assert!(matches!(error, OpenError::MissingTable { .. }), "{error}");
        assert!(error.to_string().contains("ferrotype table create"), "{error}");
    }
}

#[tokio::test]
async fn a_table_that_goes_away_says_what_to_run() {
    let config = on_dynoxide();
    create(&config, &schema()).await.unwrap();
    let table = open(&config, &schema()).await.unwrap();
    client(&config).await.delete_table().table_name(&config.table).send().await.unwrap();
    let error = table.get(&Key::new("p", "s")).await.unwrap_err();
    assert!(matches!(error, Error::Misconfigured(_)), "{error}");
    assert!(error.to_string().contains("ferrotype table create"), "{error}");
}

#[tokio::test]
async fn an_endpoint_that_nobody_serves_is_unreachable_in_bounded_time() {
    let gone = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let config = support::config(format!("http://{gone}"), "table");
    let config = Config { retry: support::impatient(), ..config };
    let started = Instant::now();
    for error in [open(&config, &schema()).await.err(), create(&config, &schema()).await.err()] {
        let error = error.unwrap();
        assert!(matches!(error, OpenError::Unreachable { .. }), "{error}");
        assert!(error.to_string().contains(&gone.to_string()), "{error}");
    }
    assert!(started.elapsed() < Duration::from_secs(5));
}

#[tokio::test]
async fn wrong_credentials_and_missing_permissions_are_told_apart() {
    let denied = canned::serve(|_| (400, canned::error("AccessDeniedException")));
    let error = open(&support::config(denied, "canned"), &schema()).await.unwrap_err();
    assert!(matches!(error, OpenError::Denied { .. }), "{error}");
    let unknown = canned::serve(|_| (400, canned::error("UnrecognizedClientException")));
    let error = open(&support::config(unknown, "canned"), &schema()).await.unwrap_err();
    assert!(matches!(error, OpenError::Credentials { .. }), "{error}");
}

#[tokio::test]
async fn a_table_that_does_not_get_ready_is_waited_for_until_the_deadline() {
    let creating = canned::serve(|_| (200, canned::description("CREATING")));
    let config = support::config(creating, "canned");
    let options =
        CreateOptions { deadline: Duration::from_millis(300), ..CreateOptions::default() };
    let empty = Schema::new(vec![]);
    let error = DynamoTable::create(&config, &empty, &options).await.unwrap_err();
    assert!(matches!(error, OpenError::NotReady { .. }), "{error}");
    let error = open(&config, &empty).await.unwrap_err();
    assert!(matches!(error, OpenError::NotReady { .. }), "{error}");
}

#[tokio::test]
async fn refusals_of_the_server_become_errors_by_what_to_do() {
    type Expected = fn(&Error) -> bool;
    let cases: [(canned::Answer, Expected); 6] = [
        (|op| answer(op, 400, "AccessDeniedException"), |e| matches!(e, Error::Misconfigured(_))),
        (|op| answer(op, 400, "ExpiredTokenException"), |e| matches!(e, Error::Misconfigured(_))),
        (
            |op| answer(op, 400, "ResourceNotFoundException"),
            |e| matches!(e, Error::Misconfigured(_)),
        ),
        (|op| answer(op, 400, "ValidationException"), |e| matches!(e, Error::Invalid(_))),
        (|op| answer(op, 429, "SomethingNew"), |e| matches!(e, Error::Unavailable { .. })),
        (|op| answer(op, 502, "SomethingNew"), |e| matches!(e, Error::Unavailable { .. })),
    ];
    for (number, (answer, expected)) in cases.into_iter().enumerate() {
        let config = support::config(canned::serve(answer), "canned");
        let config = Config { retry: support::impatient(), ..config };
        let table = open(&config, &Schema::new(vec![])).await.unwrap();
        let error = table.get(&Key::new("p", "s")).await.unwrap_err();
        assert!(expected(&error), "case {number}: {error:?}");
    }
}

fn answer(operation: &str, status: u16, code: &str) -> (u16, String) {
    match operation {
        "DescribeTable" => (200, canned::description("ACTIVE")),
        _ => (status, canned::error(code)),
    }
}

#[tokio::test]
async fn a_set_that_somebody_else_stored_is_refused_by_name() {
    let config = on_dynoxide();
    create(&config, &schema()).await.unwrap();
    let text = |text: &str| AttributeValue::S(text.to_owned());
    let put = client(&config).await.put_item().table_name(&config.table);
    let put = put.item("PK", text("p")).item("SK", text("s"));
    put.item("tags", AttributeValue::Ss(vec!["a".to_owned()])).send().await.unwrap();
    let error = open(&config, &schema()).await.unwrap().get(&Key::new("p", "s")).await.unwrap_err();
    assert!(matches!(error, Error::Corrupt(_)), "{error}");
    assert!(error.to_string().contains("\"tags\" of item \"p\"/\"s\""), "{error}");
}

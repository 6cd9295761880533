//! The conformance suite of all engines, against every server there is.

mod support;

use table::conformance::Fixture;
use table_dynamodb::Config;
use tokio::sync::OnceCell;

/// A fixture on the one table that all cases share.
async fn shared(created: &OnceCell<Config>, config: impl FnOnce() -> Config) -> Fixture {
    let config = created
        .get_or_init(|| async {
            let config = config();
            support::create(&config).await;
            config
        })
        .await;
    support::fixture(config.clone()).await
}

mod dynoxide {
    use super::*;

    async fn fixture() -> Fixture {
        static TABLE: OnceCell<Config> = OnceCell::const_new();
        let server = testkit::servers::Dynoxide::shared();
        shared(&TABLE, || support::config(server.endpoint(), support::new_name())).await
    }

    table::conformance_tests!(crate::dynoxide::fixture);
}

mod ministack {
    use super::*;

    async fn fixture() -> Fixture {
        static TABLE: OnceCell<Config> = OnceCell::const_new();
        let server = testkit::servers::Ministack::shared();
        shared(&TABLE, || support::config(server.endpoint(), support::new_name())).await
    }

    table::conformance_tests!(crate::ministack::fixture);
}

/// Any other endpoint, as the operator's; see docs/operations/dynamodb.md.
#[cfg(feature = "external-endpoint")]
mod external {
    use super::*;

    async fn fixture() -> Fixture {
        static TABLE: OnceCell<Config> = OnceCell::const_new();
        shared(&TABLE, support::external_config).await
    }

    table::conformance_tests!(crate::external::fixture);
}

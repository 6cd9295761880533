//! The operations of the table, as metrics name them.

/// One method of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Operation {
    Get,
    BatchGet,
    Query,
    Scan,
    Transact,
    BatchWrite,
    Increment,
    Administer,
}

impl Operation {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Get => "get",
            Self::BatchGet => "batch_get",
            Self::Query => "query",
            Self::Scan => "scan",
            Self::Transact => "transact",
            Self::BatchWrite => "batch_write",
            Self::Increment => "increment",
            Self::Administer => "administer",
        }
    }

    /// Whether it may change something.
    pub(crate) fn writes(self) -> bool {
        match self {
            Self::Get | Self::BatchGet | Self::Query | Self::Scan => false,
            Self::Transact | Self::BatchWrite | Self::Increment | Self::Administer => true,
        }
    }
}

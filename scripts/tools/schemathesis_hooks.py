"""What schemathesis does not know by itself; crates/api/tests/schemathesis.rs loads it."""

import schemathesis

# The body of a tus upload is bytes like any other.
schemathesis.serializer.alias("application/offset+octet-stream", "application/octet-stream")

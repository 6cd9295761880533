//! What the load tool is told to ask for.

use std::fs::{self, File};
use std::io::{BufWriter, Write as _};
use std::path::{Path, PathBuf};

use crate::Outcome;
use crate::library::Library;
use crate::operation::Operation;
use crate::plan::Plan;
use crate::side::Side;

/// Files of requests: one for each operation and each form of its addresses.
pub struct Requests(PathBuf);

impl Requests {
    /// Writes them into a new folder.
    pub fn write(plan: &Plan, library: &Library, folder: &Path) -> Outcome<Self> {
        let requests = Self(folder.join("requests"));
        fs::create_dir(&requests.0)?;
        for operation in Operation::ALL {
            requests.write_one(plan, library, operation, Side::Ferrotype)?;
            if operation.sides().contains(&Side::Nginx) {
                requests.write_one(plan, library, operation, Side::Nginx)?;
            }
        }
        Ok(requests)
    }

    /// The requests of an operation for a side. The bare handler is asked as Ferrotype is.
    pub fn of(&self, operation: Operation, side: Side) -> PathBuf {
        let side = if side == Side::Nginx { "nginx" } else { "api" };
        self.0.join(format!("{}-{side}", operation.name()))
    }

    fn write_one(
        &self,
        plan: &Plan,
        library: &Library,
        operation: Operation,
        side: Side,
    ) -> Outcome {
        let mut file = BufWriter::new(File::create(self.of(operation, side))?);
        if operation == Operation::List {
            for owner in &library.owners {
                writeln!(file, "GET /api/v1/images?limit=20 {}", owner.api_key)?;
            }
        }
        let images = match operation {
            Operation::Get | Operation::AnyThumb | Operation::Patch => plan.images,
            Operation::Thumb => plan.popular,
            Operation::List => 0,
        };
        for image in library.images.iter().take(usize::try_from(images)?) {
            let (id, api_key) = (image.id, library.api_key_of(image)?);
            match (operation, side) {
                (Operation::Get, _) => writeln!(file, "GET /api/v1/images/{id} {api_key}")?,
                (Operation::Patch, _) => writeln!(file, "PATCH /api/v1/images/{id} {api_key}")?,
                (_, Side::Nginx) => writeln!(file, "GET /{} -", image.thumb_key)?,
                _ => writeln!(file, "GET {} -", image.thumb_path)?,
            }
        }
        file.flush()?;
        Ok(())
    }
}

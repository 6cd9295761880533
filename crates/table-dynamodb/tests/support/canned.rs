//! A server that gives the same answer to every request of an operation: for answers that
//! neither the test servers nor the fault proxy can be made to give.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::thread;

/// What to answer to the operation of this name: a status and a body.
pub type Answer = fn(&str) -> (u16, String);

/// Starts the server and returns its endpoint. It ends with the process.
pub fn serve(answer: Answer) -> String {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    let address = listener.local_addr().unwrap();
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            thread::spawn(move || converse(&stream, answer));
        }
    });
    format!("http://{address}")
}

fn converse(stream: &TcpStream, answer: Answer) -> Option<()> {
    let mut reader = BufReader::new(stream);
    loop {
        let (mut operation, mut length) = (String::new(), 0);
        loop {
            let mut line = String::new();
            if reader.read_line(&mut line).ok()? == 0 {
                return None;
            }
            let Some((name, value)) = line.trim().split_once(": ") else {
                if line.trim().is_empty() {
                    break;
                }
                continue;
            };
            match name.to_ascii_lowercase().as_str() {
                "content-length" => length = value.parse().ok()?,
                "x-amz-target" => operation = value.rsplit('.').next()?.to_owned(),
                _ => {}
            }
        }
        reader.read_exact(&mut vec![0; length]).ok()?;
        let (status, body) = answer(&operation);
        let head = format!(
            "HTTP/1.1 {status} X\r\nContent-Type: application/x-amz-json-1.0\r\n\
             Content-Length: {}\r\n\r\n",
            body.len()
        );
        let mut writer = stream;
        writer.write_all(head.as_bytes()).ok()?;
        writer.write_all(body.as_bytes()).ok()?;
    }
}

/// The body of an error of this code.
pub fn error(code: &str) -> String {
    format!(r#"{{"__type":"com.amazonaws.dynamodb.v20120810#{code}","message":"as canned"}}"#)
}

/// The description of a table without indexes.
pub fn description(status: &str) -> String {
    format!(
        r#"{{"Table":{{"TableName":"canned","TableStatus":"{status}",
        "KeySchema":[{{"AttributeName":"PK","KeyType":"HASH"}},
                     {{"AttributeName":"SK","KeyType":"RANGE"}}],
        "AttributeDefinitions":[{{"AttributeName":"PK","AttributeType":"S"}},
                                {{"AttributeName":"SK","AttributeType":"S"}}]}}}}"#
    )
}

// Tries the routes that viewer.js shows: a form for each, and what the server answers. A request is
// sent by the session of this browser, or by the key in the field at the top, which is kept nowhere.
"use strict";

const ROOT = new URL("../../", document.currentScript.src);
const SHOWN_MAX = 200_000;

function resolve(api, schema) {
  return schema?.$ref ? resolve(api, api.components.schemas[schema.$ref.split("/").pop()]) : (schema ?? {});
}

/** A value that a schema allows, as a beginning. */
function sample(api, described) {
  const schema = resolve(api, described);
  const given = described?.example ?? schema.example ?? schema.examples?.[0] ?? schema.default ?? schema.enum?.[0];
  if (given !== undefined) return given;
  const choice = (schema.oneOf ?? schema.anyOf ?? schema.allOf)?.find((one) => one.type !== "null");
  if (choice) return sample(api, choice);
  const type = [schema.type].flat().find((name) => name !== "null");
  if (type === "array") return [sample(api, schema.items)];
  if (type === "object") {
    const wanted = (schema.required ?? []).map((name) => [name, sample(api, schema.properties?.[name])]);
    return Object.fromEntries(wanted);
  }
  return { integer: 0, number: 0, boolean: false }[type] ?? "";
}

function labelled(text, input) {
  return element("label", { class: "field" }, element("span", {}, text), input);
}

/** A field for one value; `read` of what it returns gives its text, or its file. */
function field(api, name, schema, { value, isRequired, isFile } = {}) {
  const resolved = resolve(api, schema);
  const choices = resolved.enum ?? (resolved.type === "boolean" ? [true, false] : undefined);
  const input = choices ? element("select", {}, ...["", ...choices].map((one) => element("option", {}, String(one)))) : element("input", isFile ? { type: "file" } : { type: "text", autocomplete: "off", placeholder: typeOf(schema) });
  input.name = name;
  input.required = Boolean(isRequired);
  if (!isFile) input.value = value ?? "";
  return input;
}

function parameterFields(api, described) {
  const asked = (described.parameters ?? []).filter(({ in: where }) => where !== "cookie");
  return asked.map((parameter) => {
    const { name, in: where, required } = parameter;
    const given = parameter.example ?? resolve(api, parameter.schema).example ?? resolve(api, parameter.schema).examples?.[0];
    const value = required ? given : undefined;
    return { name, where, input: field(api, name, parameter.schema, { value, isRequired: required }) };
  });
}

/** What a body is written into, by its type. */
function bodyFields(api, described) {
  const [type, { schema } = {}] = Object.entries(described.requestBody?.content ?? {})[0] ?? [];
  if (!type) return { shown: [], read: () => ({}) };
  if (/json/.test(type)) {
    const input = element("textarea", { rows: "6", spellcheck: "false", name: "body" });
    input.value = JSON.stringify(sample(api, schema), null, 2);
    return { shown: [labelled(`Body (${type})`, input)], read: () => (input.value.trim() ? { type, body: input.value } : {}) };
  }
  if (type === "multipart/form-data") {
    const resolved = resolve(api, schema);
    const inputs = Object.entries(resolved.properties ?? {}).map(([name, one]) => field(api, name, one, { isFile: isFile(api, one), isRequired: resolved.required?.includes(name) }));
    return { shown: inputs.map((input) => labelled(input.name, input)), read: () => ({ body: formOf(inputs) }) };
  }
  const input = field(api, "body", {}, { isFile: true });
  return { shown: [labelled(`Body (${type})`, input)], read: () => (input.files[0] ? { type, body: input.files[0] } : {}) };
}

function isFile(api, schema) {
  const { format, contentMediaType } = resolve(api, schema);
  return format === "binary" || contentMediaType === "application/octet-stream";
}

function formOf(inputs) {
  const form = new FormData();
  for (const { name, type, files, value } of inputs) {
    if (type === "file" && files[0]) form.append(name, files[0]);
    else if (type !== "file" && value !== "") form.append(name, value);
  }
  return form;
}

function addressOf(path, fields) {
  const inPath = (name) => fields.find((one) => one.where === "path" && one.name === name)?.input.value ?? "";
  // A key of the storage has several parts, and what is signed behind them.
  const encode = (name) => (path.startsWith("/storage/") ? inPath(name) : encodeURIComponent(inPath(name)));
  const address = new URL(path.slice(1).replace(/\{(\w+)\}/g, (_, name) => encode(name)), ROOT);
  for (const { name, where, input } of fields) {
    if (where === "query" && input.value !== "") address.searchParams.append(name, input.value);
  }
  return address;
}

function headersOf(fields, type) {
  const headers = new Headers(type ? { "content-type": type } : {});
  for (const { name, where, input } of fields) {
    if (where === "header" && input.value !== "") headers.set(name, input.value);
  }
  const token = document.getElementById("token").value.trim();
  if (token) headers.set("authorization", `Bearer ${token}`);
  return headers;
}

/** Shows an answer as it comes: events have no end. */
async function showBody(answer, into) {
  const type = answer.headers.get("content-type") ?? "";
  if (type.startsWith("image/")) {
    into.append(element("img", { src: URL.createObjectURL(await answer.blob()), alt: "The picture that was sent" }));
  } else if (/json/.test(type)) {
    into.append(element("pre", {}, JSON.stringify(await answer.json(), null, 2).slice(0, SHOWN_MAX)));
  } else if (type.startsWith("text/")) {
    const shown = element("pre", {});
    into.append(shown);
    const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
    for (let piece = await reader.read(); !piece.done && shown.textContent.length < SHOWN_MAX; piece = await reader.read()) shown.append(piece.value);
  } else {
    const file = await answer.blob();
    const link = element("a", { href: URL.createObjectURL(file), download: "answer" }, `Save ${file.size} bytes`);
    if (file.size > 0) into.append(element("p", {}, link));
  }
}

async function send(path, method, fields, body, into, signal) {
  into.replaceChildren(element("p", {}, "Asking…"));
  const { type, body: content } = body.read();
  try {
    const address = addressOf(path, fields);
    const answer = await fetch(address, { method: method.toUpperCase(), headers: headersOf(fields, type), body: content, signal, credentials: "same-origin" });
    const lines = [...answer.headers].map(([name, value]) => `${name}: ${value}`);
    into.replaceChildren(
      element("p", { class: "status" }, `${answer.status} ${answer.statusText}`),
      element("details", {}, element("summary", {}, `${lines.length} headers`), element("pre", {}, lines.join("\n"))),
    );
    await showBody(answer, into);
  } catch (error) {
    if (error.name !== "AbortError") into.append(element("p", { class: "status" }, `Nothing was answered: ${error.message}`));
  }
}

/** The form by which a route is tried. */
function tryForm(api, path, method, described) {
  const fields = parameterFields(api, described);
  const body = bodyFields(api, described);
  const answer = element("div", { class: "answer", role: "status" });
  const stop = element("button", { type: "button" }, "Stop");
  const form = element("form", { class: "try" },
    ...fields.map(({ name, where, input }) => labelled(`${name} (${where})`, input)), ...body.shown,
    element("p", {}, element("button", {}, "Send"), " ", stop), answer);
  let asking = new AbortController();
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (method === "delete" && !confirm(`Really send DELETE ${addressOf(path, fields).pathname}?`)) return;
    asking.abort();
    asking = new AbortController();
    void send(path, method, fields, body, answer, asking.signal);
  });
  stop.addEventListener("click", () => asking.abort());
  return form;
}

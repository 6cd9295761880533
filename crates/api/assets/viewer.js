// Shows openapi.json: groups, routes, parameters, bodies, answers and schemas; try.js lets them be
// tried. Every text is set as text, never as markup.
"use strict";

const METHODS = ["get", "head", "post", "put", "patch", "delete", "options"];

function element(name, attributes, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children.filter((child) => child !== null && child !== undefined));
  return made;
}

// Text in which `code` stands out.
function prose(text) {
  const parts = (text ?? "").split("`");
  const shown = parts.map((part, index) => (index % 2 ? element("code", {}, part) : part));
  return element("p", {}, ...shown);
}

function typeOf(schema) {
  if (!schema) return "";
  if (schema.$ref) return schema.$ref.split("/").pop();
  if (schema.oneOf || schema.anyOf) return (schema.oneOf ?? schema.anyOf).map(typeOf).join(" | ");
  if (schema.allOf) return schema.allOf.map(typeOf).join(" & ");
  if (schema.type === "array") return `${typeOf(schema.items)}[]`;
  const type = Array.isArray(schema.type) ? schema.type.join(" | ") : (schema.type ?? "any");
  const limits = ["minimum", "maximum", "maxLength", "default"].filter((key) => key in schema);
  const notes = limits.map((key) => `${key} ${schema[key]}`).concat(schema.format ?? []);
  return notes.length ? `${type} (${notes.join(", ")})` : type;
}

function row(...cells) {
  const shown = cells.map((cell) => element("td", {}, typeof cell === "string" ? prose(cell) : cell));
  return element("tr", {}, ...shown);
}

function table(heads, rows) {
  const head = element("tr", {}, ...heads.map((text) => element("th", { scope: "col" }, text)));
  return element("table", {}, element("thead", {}, head), element("tbody", {}, ...rows));
}

function section(title, ...content) {
  return [element("h4", {}, title), ...content];
}

function bodies(content) {
  return Object.entries(content ?? {}).map(([type, body]) => `\`${type}\` ${typeOf(body.schema)}`).join("\n");
}

function operation(api, path, method, described) {
  const summary = element("summary", {},
    element("span", { class: "method" }, method.toUpperCase()),
    element("span", { class: "path" }, path),
    element("span", { class: "summary" }, described.summary ?? ""));
  const parts = [prose(described.description)];
  if (described.security?.length) parts.push(prose("Sign in first, by session or by `Authorization: Bearer`."));
  if (described.parameters?.length) {
    const rows = described.parameters.map((parameter) => row(
      `\`${parameter.name}\`${parameter.required ? " (required)" : ""}`, parameter.in,
      typeOf(parameter.schema), parameter.description ?? ""));
    parts.push(...section("Parameters", table(["name", "in", "type", "what"], rows)));
  }
  if (described.requestBody) parts.push(...section("Body", prose(bodies(described.requestBody.content))));
  const trying = element("div", {});
  parts.push(trying);
  const answers = Object.entries(described.responses ?? {}).map(([status, answer]) =>
    row(`\`${status}\``, bodies(answer.content), answer.description ?? ""));
  parts.push(...section("Answers", table(["status", "body", "what"], answers)));
  const words = [path, method, described.summary, described.description, described.operationId];
  const shown = element("details", { "data-words": words.join(" ").toLowerCase() }, summary, ...parts);
  // There are a hundred of them: each is made when it is wanted.
  const open = () => trying.append(...section("Try it", tryForm(api, path, method, described)));
  shown.addEventListener("toggle", open, { once: true });
  return shown;
}

function schema(name, described) {
  const fields = Object.entries(described.properties ?? {}).map(([field, type]) => row(
    `\`${field}\`${described.required?.includes(field) ? "" : " (optional)"}`, typeOf(type), type.description ?? ""));
  const values = described.enum ? [prose(described.enum.map((value) => `\`${value}\``).join(", "))] : [];
  const shown = fields.length ? [table(["field", "type", "what"], fields)] : values;
  return element("details", { "data-words": name.toLowerCase(), id: name },
    element("summary", {}, element("span", { class: "path" }, name)), prose(described.description), ...shown);
}

function show(api) {
  document.getElementById("about").textContent = `${api.info.description} Version ${api.info.version}.`;
  const content = document.getElementById("content");
  content.replaceChildren();
  for (const tag of api.tags ?? []) {
    const routes = Object.entries(api.paths).flatMap(([path, item]) =>
      METHODS.filter((method) => item[method]?.tags?.includes(tag.name)).map((method) => operation(api, path, method, item[method])));
    if (routes.length) content.append(element("section", {}, element("h2", {}, tag.name), prose(tag.description), ...routes));
  }
  const schemas = Object.entries(api.components?.schemas ?? {}).map(([name, described]) => schema(name, described));
  content.append(element("section", {}, element("h2", {}, "Schemas"), ...schemas));
}

function filter(event) {
  const words = event.target.value.toLowerCase().split(/\s+/);
  for (const shown of document.querySelectorAll("details[data-words]")) {
    shown.hidden = !words.every((word) => shown.dataset.words.includes(word));
  }
}

document.getElementById("filter").addEventListener("input", filter);
fetch(new URL("../openapi.json", document.currentScript.src)).then((answer) => answer.json()).then(show).catch((error) => {
  document.getElementById("content").textContent = `The description could not be loaded: ${error.message}`;
});

// Builds `/docs/reference`: the document as one HTML page, without scripts and external resources.
import { ERRORS, type ErrorCode } from "../../protocol/errors.ts";
import type {
  MediaType,
  OpenApiDocument,
  OperationObject,
  Parameter,
  Reference,
  ResponseObject,
} from "../document-types.ts";
import { schemaLink, schemasToHtml, typeToHtml } from "./html-schemas.ts";
import { PAGE_STYLE } from "./page-style.ts";
import { escapeHtml, inlineToHtml, table, textToHtml } from "./html-text.ts";

interface Row {
  readonly method: string;
  readonly path: string;
  readonly operation: OperationObject;
}

export function buildHtmlPage(document: OpenApiDocument): string {
  const { info, tags, paths } = document;
  const rows: readonly Row[] = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path,
      operation,
    })),
  );
  const sections = tags.map(({ name, description }) => ({
    id: `tag-${name.toLowerCase().replaceAll(" ", "-")}`,
    name,
    description,
    rows: rows.filter(({ operation }) => operation.tags.includes(name)),
  }));
  const title = escapeHtml(`${String(info["title"])} API`);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${PAGE_STYLE}</style>
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<header>
<h1>${title}</h1>
<p>${inlineToHtml(String(info["summary"]))}</p>
<p><a href="/docs">Guides and search</a></p>
<p>For programs: <a href="/openapi.json">OpenAPI ${escapeHtml(document.openapi)}</a>, <a href="/llms.txt">llms.txt</a></p>
</header>
<nav aria-label="Contents">
<ul>
<li><a href="#about">About</a></li>
${sections.map(({ id, name, rows: own }) => `<li><a href="#${id}">${escapeHtml(name)}</a>\n<ul>\n${own.map(navItem).join("\n")}\n</ul></li>`).join("\n")}
<li><a href="#errors">Errors</a></li>
<li><a href="#schemas">Schemas</a></li>
</ul>
</nav>
<main id="content" tabindex="-1">
<section id="about" aria-labelledby="about-title">
<h2 id="about-title">About</h2>
${textToHtml(String(info["description"]))}
</section>
${sections
  .map(
    ({ id, name, description, rows: own }) => `<section id="${id}" aria-labelledby="${id}-title">
<h2 id="${id}-title">${escapeHtml(name)}</h2>
${textToHtml(description)}
${own.map((row) => operationToHtml(row, document)).join("\n")}
</section>`,
  )
  .join("\n")}
<section id="errors" aria-labelledby="errors-title">
<h2 id="errors-title">Errors</h2>
<p>Each is a ${schemaLink("Problem")} with the media type <code>application/problem+json</code>.</p>
${errorTable()}
</section>
<section id="schemas" aria-labelledby="schemas-title">
<h2 id="schemas-title">Schemas</h2>
${schemasToHtml(document)}
</section>
</main>
</body>
</html>
`;
}

function navItem({ operation: { operationId, summary } }: Row): string {
  return `<li><a href="#${operationId}">${inlineToHtml(summary)}</a></li>`;
}

function operationToHtml({ method, path, operation }: Row, document: OpenApiDocument): string {
  const { operationId: id, summary, description, requestBody } = operation;
  const body =
    requestBody &&
    `<p>Body: ${mediaToHtml(requestBody.content)} ${inlineToHtml(requestBody.description)}</p>`;
  return `<article id="${id}" aria-labelledby="${id}-title">
<h3 id="${id}-title">${inlineToHtml(summary)}</h3>
<p class="route"><code class="method">${method}</code> <code>${escapeHtml(path)}</code></p>
${textToHtml(description)}
<p>Needs: ${accessToHtml(operation)}</p>
${body ?? ""}
${parameterTable(operation, document)}
${answerTable(operation, document)}
</article>`;
}

function accessToHtml({ security }: OperationObject): string {
  if (security.length === 0) return "no credential";
  return security
    .flatMap((requirement) => Object.entries(requirement))
    .map(([scheme, [role = ""]]) => {
      if (scheme === "operatorKey") {
        return `the operator's key, or a person of the operator's with the right <code>${escapeHtml(role)}</code>`;
      }
      return scheme === "clientToken"
        ? `a client token with the verb <code>${escapeHtml(role)}</code>`
        : `an API key with the scope <code>${escapeHtml(role)}</code>`;
    })
    .join(", or ");
}

function parameterTable({ parameters }: OperationObject, document: OpenApiDocument): string {
  const rows = parameters
    .map((reference) => resolve(reference, document.components.parameters))
    .map(({ name, in: place, required, description, schema }: Parameter) => [
      `<code>${escapeHtml(name)}</code>${required ? "" : " <small>optional</small>"}`,
      place,
      typeToHtml(schema),
      inlineToHtml(description),
    ]);
  return table("Parameters", ["Name", "In", "Type", "Description"], rows);
}

function answerTable({ responses }: OperationObject, document: OpenApiDocument): string {
  const rows = Object.entries(responses).map(([status, answer]) => {
    const response: ResponseObject =
      "$ref" in answer ? resolve(answer, document.components.responses) : answer;
    const codes = errorCodes(response);
    return codes.length > 0
      ? [status, codes.map(errorLink).join(", "), ""]
      : [status, inlineToHtml(response.description), mediaToHtml(response.content ?? {})];
  });
  return table("Answers", ["Status", "Meaning", "Body"], rows);
}

function errorCodes({ content = {} }: ResponseObject): readonly ErrorCode[] {
  const { allOf } = content["application/problem+json"]?.schema ?? {};
  if (!Array.isArray(allOf)) return [];
  const [, own] = allOf as { properties?: { code?: { enum?: readonly ErrorCode[] } } }[];
  return own?.properties?.code?.enum ?? [];
}

function errorLink(code: ErrorCode): string {
  return `<a href="#error-${code}"><code>${code}</code></a>`;
}

function errorTable(): string {
  const rows = Object.entries(ERRORS).map(([code, { status, title }]) => [
    `<code id="error-${code}">${code}</code>`,
    String(status),
    inlineToHtml(title),
  ]);
  return table("Codes", ["Code", "Status", "Meaning"], rows);
}

function mediaToHtml(content: Readonly<Record<string, MediaType>>): string {
  return Object.entries(content)
    .map(([type, { schema }]) => `${typeToHtml(schema)} <small>${escapeHtml(type)}</small>`)
    .join(", or ");
}

function resolve<Part>({ $ref }: Reference, parts: Readonly<Record<string, Part>>): Part {
  const part = parts[$ref.split("/").at(-1) ?? ""];
  if (part === undefined) throw new Error(`the document has no ${$ref}`);
  return part;
}

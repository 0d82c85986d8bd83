// The answer of `/`, which says where a person or a program finds what it looks for.
import { escapeHtml } from "../html/html-text.ts";

const LINKS: readonly { readonly name: string; readonly href: string; readonly about: string }[] = [
  { name: "docs", href: "/docs", about: "Guides and reference, with search." },
  {
    name: "first_agent",
    href: "/docs/guides/first-agent",
    about: "From a key to the first reply, in a few commands.",
  },
  {
    name: "examples",
    href: "/docs/guides/approvals",
    about: "Examples to copy: approvals, React, phone apps.",
  },
  {
    name: "reference",
    href: "/docs/reference",
    about: "Every route, schema and error of the API.",
  },
  { name: "openapi", href: "/openapi.json", about: "OpenAPI 3.1, for generators and tools." },
  { name: "llms", href: "/llms.txt", about: "The API in short, for language models." },
  { name: "health", href: "/healthz", about: "Does the Worker answer?" },
  {
    name: "readiness",
    href: "/readyz",
    about: "Is this deployment configured, and what is missing?",
  },
];

const TITLES: Readonly<Record<string, string>> = {
  docs: "Documentation",
  first_agent: "Your first agent",
  examples: "Examples",
  reference: "API reference",
  openapi: "OpenAPI document",
  llms: "llms.txt",
  health: "Health",
  readiness: "Readiness",
};

/** For programs: the addresses by name. */
export function greetingLinks(): {
  readonly name: string;
  readonly links: Readonly<Record<string, string>>;
} {
  return {
    name: "Reprise",
    links: Object.fromEntries(LINKS.map(({ name, href }) => [name, href])),
  };
}

/** For browsers. */
export function buildGreeting(): string {
  const items = LINKS.map(
    ({ name, href, about }) =>
      `<li><a href="${href}">${escapeHtml(TITLES[name] ?? name)}</a><p>${escapeHtml(about)}</p></li>`,
  );
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Reprise</title>
<link rel="stylesheet" href="/docs/style.css">
</head>
<body class="greeting">
<main>
<h1>Reprise runs here</h1>
<p class="lead">A serverless, multi-tenant agent platform: agents answer over streams that survive every disconnect.</p>
<ul class="cards">
${items.join("\n")}
</ul>
</main>
</body>
</html>
`;
}

import { DOCUMENTED_ROUTES } from "./contracts.ts";

const HEAD = `# Reprise

> A serverless, multi-tenant agent platform: agents answer over streams that survive any disconnect.

Send \`Authorization: Bearer <API key>\`. Bodies and answers are JSON in snake_case; errors are RFC 9457 problems with a \`code\`.
To get a reply of an agent: make an agent, open a session, then \`POST /v1/sessions/{session_id}/replies\` with \`{"input": "…", "stream": true}\`.
When the stream is cut, \`GET /v1/sessions/{session_id}/events\` with the header \`Last-Event-ID\` goes on at the exact event.

## Documents

- [OpenAPI 3.1](/openapi.json): every route, schema, error and header.
- [The same as a page](/docs/reference), for people.
- [Guides and reference pages](/docs): first agent, models, tools, approvals, apps, deployment.
- [Health](/healthz) and [readiness](/readyz) of this deployment.

## Routes
`;

/** `/llms.txt`: what the platform is, and a line for each route. */
export function buildLlmsText(): string {
  const lines = DOCUMENTED_ROUTES.map(
    ({ method, path, summary }) => `- \`${method} ${path}\`: ${summary}`,
  );
  return `${HEAD}\n${lines.join("\n")}\n`;
}

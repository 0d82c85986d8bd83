// Builds `/openapi.json`, as OpenAPI 3.1: from the route table, the operations' documentation, and the schemas that
// validate requests.
import type * as z from "zod";

import { ERRORS } from "../protocol/errors.ts";
import { A2A_CALL_RIGHTS } from "../protocol/requests/a2a-call-rights.ts";
import { INPUT_EVENT_RIGHTS } from "../protocol/events/contract.ts";
import { BODY_BYTES, type Route } from "../protocol/routes.ts";
import type {
  MediaType,
  OpenApiDocument,
  OperationObject,
  Parameter,
  PathItem,
  Reference,
  ResponseObject,
} from "./document-types.ts";
import { refTo } from "./document-types.ts";
import { REPLAYED_HEADER } from "../protocol/requests/headers.ts";
import { HEADERS, type HeaderName } from "../protocol/requests/documented-headers.ts";
import { componentName } from "./component-name.ts";
import { makeSchemas, nameOf } from "./json-schemas.ts";
import type { Answer, DocumentedRoute } from "../protocol/requests/contract.ts";
import { parametersOf } from "./parameters.ts";
import { errorCodesOf, groupByStatus, problemResponse, problemResponseName } from "./problems.ts";
import { DOCUMENTED_ROUTES, EXAMPLES, TAGS } from "./contracts.ts";

const DESCRIPTION = `Agents that answer over streams which survive any disconnect.

**Errors** are RFC 9457 problems with a \`code\`. Besides those that an operation names, an address that no route has
gives \`not_found\`, and a method that a resource does not support gives \`method_not_allowed\` (${ERRORS.method_not_allowed.status}, with the header Allow).
A room has no fork and no replay: \`POST /v1/rooms/{room_id}/fork\` and \`…/replay\` give \`room_not_copied\` (${ERRORS.room_not_copied.status}).

**Lists** are \`{data, has_more, next_page}\`; give \`next_page\` back as \`page\`. A *cursor* is a position in a session's stream.

**Idempotency**: a POST that acts takes an \`Idempotency-Key\`. Sent again with the same key, it is answered as before, with
\`Idempotent-Replayed: true\` and without secrets; while the first is under way it gets \`idempotency_in_flight\` with \`Retry-After\`.

**Limits**: an address that sends too many unknown credentials, or a tenant or one of its client tokens that sends too many requests, gets \`rate_limited\`
(${ERRORS.rate_limited.status}) with \`Retry-After\`. They are counted separately at each location of the network: a protection against overload, not a quota.

**Compatibility**: answers may get new members, events new types and new members. Ignore what you do not know. Unknown members of requests are refused.`;

/** Builds the whole document. It takes some milliseconds: call it once. */
export function buildOpenApiDocument(): OpenApiDocument {
  const parameters: Record<string, Parameter> = {};
  const responses: Record<string, ResponseObject> = {};
  const paths: Record<string, PathItem> = {};
  for (const route of DOCUMENTED_ROUTES) {
    const operation = operationObject(route, { parameters, responses });
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: operation };
  }
  return {
    openapi: "3.1.1",
    info: {
      title: "Reprise",
      version: "1.0.0",
      summary: "A serverless, multi-tenant agent platform with resumable streams.",
      description: DESCRIPTION,
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    jsonSchemaDialect: "https://json-schema.org/draft/2020-12/schema",
    servers: [{ url: "/", description: "The platform that serves this document." }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths,
    components: {
      schemas: makeSchemas(),
      parameters,
      headers: Object.fromEntries(
        Object.entries(HEADERS).map(([name, header]) => [componentName(name), header]),
      ),
      responses,
      examples: EXAMPLES,
      securitySchemes: {
        apiKey: {
          type: "http",
          scheme: "bearer",
          description: "A tenant's API key, `rk_live_…` or `rk_test_…`, that holds the scope.",
        },
        clientToken: {
          type: "http",
          scheme: "bearer",
          description: "A client token, `rt_…`, of this session that has the verb.",
        },
        issuedToken: {
          type: "http",
          scheme: "bearer",
          description: "A JWT of a token issuer that the agent's tenant has registered.",
        },
        operatorKey: {
          type: "http",
          scheme: "bearer",
          description:
            "The operator's key, which provisions tenants, or the access token of a person of the operator's that has the right.",
        },
      },
    },
  };
}

interface Shared {
  readonly parameters: Record<string, Parameter>;
  readonly responses: Record<string, ResponseObject>;
}

function operationObject(route: DocumentedRoute, shared: Shared): OperationObject {
  const { tag, summary, description, request } = route;
  return {
    operationId: route.name,
    tags: [tag],
    summary,
    description,
    security: securityOf(route),
    parameters: parametersOf(route, shared.parameters),
    ...(request && {
      requestBody: {
        required: true,
        description: `At most ${BODY_BYTES[route.body].toLocaleString("en")} bytes.`,
        content: {
          "application/json": mediaType(nameOf(request.json, "request"), request.examples),
        },
      },
    }),
    ...(route.body === "delivery" && {
      requestBody: {
        required: true,
        description: `JSON, or a form, as its sender writes it; ${BODY_BYTES.delivery.toLocaleString("en")} bytes at most.`,
        content: { "*/*": { schema: {} } },
      },
    }),
    ...(route.body === "file" && {
      requestBody: {
        required: true,
        description: `The file's bytes, ${BODY_BYTES.file.toLocaleString("en")} at most.`,
        // In OpenAPI 3.1 bytes have no schema.
        content: { "*/*": { schema: {} } },
      },
    }),
    responses: responsesOf(route, shared.responses),
  };
}

function securityOf({
  access,
  verb,
  operator_right,
  takes_issued_tokens,
  may_be_public,
}: Route): OperationObject["security"] {
  if (access === "public") return [];
  const operator = operator_right ? [{ operatorKey: [operator_right] }] : [];
  if (access === "operator") return operator;
  // The event's type decides which one, as the operation's description says.
  if (access === "input_event" || access === "a2a_call") {
    const rights = access === "a2a_call" ? A2A_CALL_RIGHTS : Object.values(INPUT_EVENT_RIGHTS);
    return [
      ...rights.map(({ scope }) => ({ apiKey: [scope] })),
      ...(verb ? rights.map((right) => ({ clientToken: [right.verb] })) : []),
      ...(takes_issued_tokens ? [{ issuedToken: [] }] : []),
    ];
  }
  return [
    ...(may_be_public ? [{}] : []),
    { apiKey: [access] },
    ...(verb ? [{ clientToken: [verb] }] : []),
    ...(takes_issued_tokens ? [{ issuedToken: [] }] : []),
    ...operator,
  ];
}

function responsesOf(
  route: DocumentedRoute,
  shared: Record<string, ResponseObject>,
): OperationObject["responses"] {
  const responses: Record<string, ResponseObject | Reference> = {};
  for (const [status, answer] of Object.entries(route.answers)) {
    responses[status] = successResponse(route, answer);
  }
  for (const [status, codes] of groupByStatus(errorCodesOf(route))) {
    const name = problemResponseName(codes);
    const problem = problemResponse(status, codes);
    const own = route.answers[Number(status)];
    if (own) {
      // The protocol of the route has errors of its own with this status.
      responses[status] = { ...problem, content: { ...contentOf(own), ...problem.content } };
      continue;
    }
    shared[name] = problem;
    responses[status] = refTo("responses", name);
  }
  return responses;
}

function successResponse(
  { access, is_signed, is_limited, keeps_keys }: Route,
  answer: Answer,
): ResponseObject {
  const headers: readonly HeaderName[] = [
    "X-Request-Id",
    ...(access === "public" && !is_signed && !is_limited ? [] : (["RateLimit-Policy"] as const)),
    ...(keeps_keys ? ([REPLAYED_HEADER] as const) : []),
    ...(answer.headers ?? []),
  ];
  const content = contentOf(answer);
  return {
    description: answer.description,
    headers: Object.fromEntries(
      headers.map((name) => [name, refTo("headers", componentName(name))]),
    ),
    ...(Object.keys(content).length > 0 && { content }),
  };
}

function contentOf({
  json,
  media_type,
  replayed,
  translated,
  stream,
  other,
  examples,
}: Answer): Record<string, MediaType> {
  return {
    ...(json && {
      [media_type ?? "application/json"]: answerType(
        json,
        [...(replayed ? [replayed] : []), ...(translated ?? [])],
        examples ?? [],
      ),
    }),
    ...(stream && { "text/event-stream": mediaType(stream.id, [stream.example]) }),
    ...(other === "openapi" && { "application/json": { schema: { type: "object" } } }),
    ...(other === "*/*" && { "*/*": { schema: {} } }),
    ...(other !== undefined &&
      other !== "openapi" &&
      other !== "*/*" && { [other]: { schema: { type: "string" } } }),
  };
}

function answerType(
  schema: z.ZodType,
  others: readonly z.ZodType[],
  examples: readonly string[],
): MediaType {
  const media = mediaType(nameOf(schema, "answer"), examples);
  if (others.length === 0) return media;
  const references = others.map((other) => refTo("schemas", nameOf(other, "answer")));
  return { ...media, schema: { anyOf: [media.schema, ...references] } };
}

function mediaType(schema: string, examples: readonly string[]): MediaType {
  return {
    schema: refTo("schemas", schema),
    ...(examples.length > 0 && {
      examples: Object.fromEntries(examples.map((name) => [name, refTo("examples", name)])),
    }),
  };
}

// The headers that the API's document describes. Accept, Content-Type and Authorization are not among them: OpenAPI
// describes these elsewhere.
import { MAX_WEBHOOK_ID_CHARACTERS } from "../inbound/limits.ts";
import { REPLAYED_HEADER, REPLY_ID_HEADER, SESSION_ID_HEADER } from "./headers.ts";
import { MAX_IDEMPOTENCY_KEY_CHARACTERS } from "./limits.ts";

interface Header {
  readonly description: string;
  /** False for a header that only some answers have. */
  readonly required?: false;
  readonly schema: { readonly [keyword: string]: unknown };
}

interface RequestHeader {
  readonly name: string;
  readonly in: "header";
  readonly required?: boolean;
  readonly description: string;
  readonly schema: { readonly [keyword: string]: unknown };
}

const text = { type: "string" };

export const HEADERS = {
  "X-Request-Id": {
    description: "The id of this request: the caller's own, or a generated one.",
    schema: text,
  },
  Location: { description: "The path of the created resource.", schema: text },
  [REPLY_ID_HEADER]: { description: "The id of the reply that the answer is about.", schema: text },
  [SESSION_ID_HEADER]: { description: "The id of the thread's session.", schema: text },
  [REPLAYED_HEADER]: {
    description:
      "`true` when a request with this Idempotency-Key was answered before: this is the first answer, without its secrets. Absent otherwise.",
    required: false,
    schema: { type: "string", enum: ["true"] },
  },
  "Retry-After": {
    description: "Seconds after which the request may be repeated.",
    schema: { type: "integer", minimum: 0 },
  },
  "RateLimit-Policy": {
    description:
      'The limits that apply here, such as `"tenant";q=10000;w=10`: requests (q) in so many seconds (w).',
    schema: text,
  },
  RateLimit: {
    description:
      'The limit that was hit, such as `"tenant";r=0;t=10`: nothing remains (r), and after so many seconds (t) there is room again. Present only when nothing remains, since the remainder is not known otherwise.',
    schema: text,
  },
  "WWW-Authenticate": { description: "How to authenticate.", schema: text },
  "Cache-Control": { description: "How long a cache may keep the answer.", schema: text },
  ETag: {
    description: "The version of the answer, for If-None-Match or If-Match.",
    schema: text,
  },
} as const satisfies Readonly<Record<string, Header>>;
export type HeaderName = keyof typeof HEADERS;

export const REQUEST_HEADERS = {
  "X-Request-Id": {
    name: "X-Request-Id",
    in: "header",
    description: "The caller's own id of this request; the answer repeats it.",
    schema: { type: "string", pattern: "^[A-Za-z0-9._:-]{1,128}$" },
  },
  "Idempotency-Key": {
    name: "Idempotency-Key",
    in: "header",
    description:
      "A key that the caller chooses for this request, bare or as a quoted string. A request with the same key within a day is not executed again but gets the first answer; with another body or query it is refused.",
    schema: { type: "string", minLength: 1, maxLength: MAX_IDEMPOTENCY_KEY_CHARACTERS },
  },
  "Last-Event-ID": {
    name: "Last-Event-ID",
    in: "header",
    description: "The id of the last received frame; it takes precedence over `after`.",
    schema: { type: "string", pattern: "^\\d{1,16}(\\.(0|[1-9]\\d{0,3}))?$" },
  },
  traceparent: {
    name: "traceparent",
    in: "header",
    description:
      "W3C Trace Context. Requests to the model and the tools have the same trace with another parent; an invalid one is ignored.",
    schema: text,
  },
  tracestate: {
    name: "tracestate",
    in: "header",
    description: "Used with `traceparent`; up to 512 characters are passed on.",
    schema: text,
  },
  "webhook-id": {
    name: "webhook-id",
    in: "header",
    required: true,
    description: "The message's id: the same for each attempt; it can be accepted once.",
    schema: { type: "string", maxLength: MAX_WEBHOOK_ID_CHARACTERS },
  },
  "webhook-timestamp": {
    name: "webhook-timestamp",
    in: "header",
    required: true,
    description: "When it was signed, in Unix seconds.",
    schema: { type: "string", pattern: "^\\d{1,12}$" },
  },
  "webhook-signature": {
    name: "webhook-signature",
    in: "header",
    required: true,
    description: "Signatures `v1,<base64>`, separated by spaces; one has to be valid.",
    schema: text,
  },
  "If-Match": {
    name: "If-Match",
    in: "header",
    description: 'The version that the state must have, as its `ETag`: `"3"`.',
    schema: text,
  },
  Range: {
    name: "Range",
    in: "header",
    description: "One range of bytes, such as `bytes=0-65535` or `bytes=-1000`.",
    schema: text,
  },
  "If-Range": {
    name: "If-Range",
    in: "header",
    description: "The ETag of the bytes that the range is of; another one gets the whole file.",
    schema: text,
  },
  "A2A-Version": {
    name: "A2A-Version",
    in: "header",
    required: true,
    description: "The version of A2A that the client speaks: `1.0`. Also taken from the query.",
    schema: text,
  },
  "A2A-Extensions": {
    name: "A2A-Extensions",
    in: "header",
    description: "URIs of extensions that the client takes, with commas between them.",
    schema: text,
  },
  "If-None-Match": {
    name: "If-None-Match",
    in: "header",
    description: "The ETag that the caller has.",
    schema: text,
  },
} as const satisfies Readonly<Record<string, RequestHeader>>;
export type RequestHeaderName = keyof typeof REQUEST_HEADERS;

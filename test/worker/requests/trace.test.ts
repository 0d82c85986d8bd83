import { env } from "cloudflare:workers";
import { describe, expect, onTestFinished, test, vi } from "vitest";

import { app } from "../../../worker/app.ts";
import { OPERATOR } from "../support/api.ts";

const TRACE = "0af7651916cd43dd8448eb211c80319c";

/** The log's line about a request that fails on our side. */
async function failureOf(headers: Readonly<Record<string, string>>) {
  const log = vi.spyOn(console, "error").mockImplementation(() => {});
  onTestFinished(() => log.mockRestore());
  const DB = new Proxy(env.DB, {
    get: () => () => {
      throw new Error("D1_ERROR: no such table: tenants: SQLITE_ERROR");
    },
  });
  const own = { Authorization: `Bearer ${OPERATOR.key}`, "X-Request-Id": "request-1", ...headers };
  const response = await app.request("/v1/tenants", { headers: own }, { ...env, DB });
  const lines = log.mock.calls.map(([line]) => JSON.parse(String(line)) as Record<string, unknown>);
  return {
    status: response.status,
    answered: response.headers.get("traceparent"),
    logged: lines.map(({ request_id, trace_id }) => ({ request_id, trace_id })),
  };
}

describe("a caller's trace", () => {
  test("stands in the log beside the request's id, and is not answered", async () => {
    const failure = await failureOf({ traceparent: `00-${TRACE}-b7ad6b7169203331-01` });

    expect(failure).toEqual({
      status: 500,
      answered: null,
      logged: [{ request_id: "request-1", trace_id: TRACE }],
    });
  });

  test.each<Record<string, string>>([{}, { traceparent: "00-nonsense" }, { tracestate: "a=1" }])(
    "is none with the headers %j",
    async (headers) => {
      expect(await failureOf(headers)).toEqual({
        status: 500,
        answered: null,
        logged: [{ request_id: "request-1", trace_id: undefined }],
      });
    },
  );
});

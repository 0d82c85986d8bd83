import { describe, expect, test } from "vitest";

import { ask, makeTenant, OPERATOR, refusalOf } from "../support/api.ts";

describe("the surface of the API", () => {
  test("health needs no credential", async () => {
    const { status, json } = await ask("GET", "/healthz");

    expect({ status, json }).toEqual({ status: 200, json: { status: "ok" } });
  });

  test("a route that does not exist is a problem", async () => {
    const { status, headers, json } = await ask("GET", "/v1/unicorns", {
      headers: { "X-Request-Id": "trace-1" },
    });

    expect({
      status,
      type: headers.get("Content-Type"),
      id: headers.get("X-Request-Id"),
      json,
    }).toEqual({
      status: 404,
      type: "application/problem+json",
      id: "trace-1",
      json: {
        type: "urn:reprise:problem:not_found",
        title: "There is no such resource",
        status: 404,
        detail: "there is no route GET /v1/unicorns",
        code: "not_found",
        request_id: "trace-1",
      },
    });
  });

  test("a method that a resource does not take is answered with those that it takes", async () => {
    const answers = [
      await ask("PUT", "/v1/agents"),
      await ask("DELETE", "/v1/sessions/ses_1/messages"),
      await ask("GET", "/v1/sessions/ses_1/interrupt"),
    ];

    expect(answers.map((answer) => [refusalOf(answer).code, answer.headers.get("Allow")])).toEqual([
      ["method_not_allowed", "POST, GET, HEAD"],
      ["method_not_allowed", "GET, HEAD"],
      ["method_not_allowed", "POST"],
    ]);
  });

  test("HEAD answers as GET without a body", async () => {
    const tenant = await makeTenant();

    const { status, text } = await ask("HEAD", "/v1/agents", tenant.call);

    expect({ status, text }).toEqual({ status: 200, text: "" });
  });

  test("a request id is kept when it is harmless and replaced when it is not", async () => {
    const given = ["a1b2-C3.d:4_e", "", "has space", "x".repeat(129), '"}<script>'];

    const ids = [];
    for (const id of given) {
      const { headers, json } = await ask("GET", "/v1/agents", { headers: { "X-Request-Id": id } });
      expect(json.request_id).toBe(headers.get("X-Request-Id"));
      ids.push(json.request_id);
    }

    const fresh = expect.stringMatching(/^req_[0-9a-z]{26}$/);
    expect(ids).toEqual(["a1b2-C3.d:4_e", fresh, fresh, fresh, fresh]);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test("any page may ask: the preflight is open and carries no credentials", async () => {
    const { status, headers } = await ask("OPTIONS", "/v1/sessions/ses_1/replies", {
      headers: {
        Origin: "https://shop.example",
        "Access-Control-Request-Method": "POST",
        "Access-Control-Request-Headers": "authorization,last-event-id",
      },
    });

    expect({
      status,
      origin: headers.get("Access-Control-Allow-Origin"),
      credentials: headers.get("Access-Control-Allow-Credentials"),
      methods: headers.get("Access-Control-Allow-Methods")?.split(","),
      headers: headers.get("Access-Control-Allow-Headers")?.toLowerCase().split(","),
      maxAge: headers.get("Access-Control-Max-Age"),
    }).toEqual({
      status: 204,
      origin: "*",
      credentials: null,
      methods: expect.arrayContaining(["GET", "POST", "PATCH", "DELETE"]),
      headers: expect.arrayContaining([
        "authorization",
        "content-type",
        "last-event-id",
        "idempotency-key",
      ]),
      maxAge: "86400",
    });
  });

  test("answers and refusals alike are readable for the page, kept by no cache and run by no browser", async () => {
    const answers = [
      await ask("GET", "/v1/tenants", OPERATOR),
      await ask("GET", "/v1/tenants"),
      await ask("GET", "/v1/x"),
    ];

    const shown = answers.map(({ status, headers }) => ({
      status,
      origin: headers.get("Access-Control-Allow-Origin"),
      exposed: headers.get("Access-Control-Expose-Headers")?.split(","),
      cache: headers.get("Cache-Control"),
      sniff: headers.get("X-Content-Type-Options"),
    }));
    const expected = {
      origin: "*",
      exposed: expect.arrayContaining([
        "X-Request-Id",
        "Location",
        "Retry-After",
        "Reprise-Reply-Id",
        "Reprise-Session-Id",
        "Idempotent-Replayed",
      ]),
      cache: "no-store",
      sniff: "nosniff",
    };
    expect(shown).toEqual([200, 401, 404].map((status) => ({ status, ...expected })));
  });
});

import { expect, inject, test } from "vitest";

test("a platform that has just started is ready", async () => {
  const response = await fetch(`${inject("baseUrl")}/readyz`);

  expect({ status: response.status, body: await response.json() }).toEqual({
    status: 200,
    body: {
      status: "ready",
      checks: {
        secrets: "ok",
        variables: "ok",
        bindings: "ok",
        rate_limits: "ok",
        database: "ok",
        objects: "ok",
      },
      missing: [],
    },
  });
});

import { expect, inject, test } from "vitest";

import { waitFor } from "../support/wait-for.ts";

test("a platform that has just started is ready", async () => {
  // On a busy machine a check may take longer than it has; its result is kept for some seconds.
  await waitFor(async () => {
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
});

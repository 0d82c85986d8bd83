import { expect, inject, test } from "vitest";

import { waitFor } from "../../support/wait-for.ts";

async function readReadiness() {
  const response = await fetch(`${inject("baseUrl")}/readyz`);
  const body = (await response.json()) as { readonly checks: object };
  return { status: response.status, body };
}

const CONFIGURED = { secrets: "ok", variables: "ok", bindings: "ok", rate_limits: "ok" };

test("a platform that has just started is ready", async () => {
  const first = await readReadiness();

  expect(first.body.checks).toMatchObject(CONFIGURED);
  // D1 and the tenant's object have two seconds, which a busy machine may take; a failure is kept for some more.
  await waitFor(async () => {
    expect(await readReadiness()).toEqual({
      status: 200,
      body: {
        status: "ready",
        checks: { ...CONFIGURED, database: "ok", objects: "ok" },
        missing: [],
      },
    });
  });
});

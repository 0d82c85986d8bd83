// The OpenAPI document as it is served, byte for byte; written anew by
// `npx vitest run --project worker test/worker/golden/openapi.test.ts -u`.
import { expect, test } from "vitest";

import { ask } from "../support/api.ts";

test("/openapi.json is served with the same bytes", async () => {
  const { status, text } = await ask("GET", "/openapi.json");

  expect(status).toBe(200);
  await expect(text).toMatchFileSnapshot("../../fixtures/golden/openapi.json");
});

// `log_retention` of an agent: shown, changed, taken away and refused. What it does to a log: log-retention.test.ts.
import { beforeAll, describe, expect, it } from "vitest";

import { createTenant, request } from "../../support/platform-client.ts";

let key: string;

beforeAll(async () => {
  ({ key } = await createTenant());
});

describe("the setting", () => {
  const retention = { log_retention: 60 };
  const agent = { name: "Desk", ...retention };

  it("is shown, changed, and taken away again", async () => {
    const created = await request("POST", "/v1/agents", { key, body: agent });
    expect(created.body).toMatchObject(retention);
    const path = `/v1/agents/${String(created.body["id"])}`;
    const longer = await request("PATCH", path, { key, body: { log_retention: 86_400 } });
    expect(longer.body).toMatchObject({ log_retention: 86_400, version: 2 });
    const never = await request("PATCH", path, { key, body: { log_retention: null } });
    expect(never.body).toMatchObject({ log_retention: null, version: 3 });
  });

  it.each([0, 59, 60.5, 31_536_001, "60", -1])(
    "is refused as %s, with its pointer",
    async (value) => {
      const body = { ...agent, log_retention: value };
      const refused = await request("POST", "/v1/agents", { key, body });
      expect(refused.status).toBe(400);
      expect(refused.body).toMatchObject({
        code: "validation_failed",
        errors: [{ pointer: "#/log_retention" }],
      });
    },
  );
});

import { createConfig, lintFromString } from "@redocly/openapi-core";
import { describe, expect, it } from "vitest";

import { buildOpenApiDocument } from "../../../openapi/build-open-api-document.ts";

describe("the OpenAPI document", () => {
  it("passes the recommended rules of an independent linter", async () => {
    const config = await createConfig({
      extends: ["recommended"],
      rules: {
        // Health and the documents themselves take no credential and can give no 4xx of their own.
        "operation-4xx-response": "off",
        // A WebSocket is a 101.
        "operation-2xx-response": "off",
      },
    });
    const problems = await lintFromString({
      source: JSON.stringify(buildOpenApiDocument()),
      config,
    });

    expect(problems.map(({ ruleId, message }) => `${ruleId}: ${message}`)).toEqual([]);
  });
});

import { defineConfig } from "drizzle-kit";

export default defineConfig({
  dialect: "sqlite",
  schema: [
    "./storage/tables/schema.ts",
    "./storage/tables/pending-schema.ts",
    "./storage/tables/webhook-schema.ts",
    "./storage/tables/idempotency-schema.ts",
    "./storage/tables/audit-schema.ts",
    "./storage/tables/file-schema.ts",
    "./storage/tables/skill-schema.ts",
    "./storage/tables/decision-schema.ts",
    "./storage/tables/activity-schema.ts",
    "./storage/tables/console-schema.ts",
    "./storage/tables/mcp-schema.ts",
    "./storage/tables/connection-schema.ts",
    "./storage/tables/token-issuer-schema.ts",
    "./storage/tables/end-user-schema.ts",
  ],
  out: "./migrations",
});

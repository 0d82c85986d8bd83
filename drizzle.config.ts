import { defineConfig } from "drizzle-kit";

export default defineConfig({
  dialect: "sqlite",
  schema: [
    "./storage/schema.ts",
    "./storage/pending-schema.ts",
    "./storage/webhook-schema.ts",
    "./storage/idempotency-schema.ts",
    "./storage/audit-schema.ts",
  ],
  out: "./migrations",
});

import { defineConfig } from "drizzle-kit";

export default defineConfig({
  dialect: "sqlite",
  schema: ["./storage/*/table.ts", "./storage/mcp/connection-table.ts"],
  out: "./migrations",
});

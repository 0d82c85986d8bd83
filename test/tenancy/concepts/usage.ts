// Usage of a tenant: tokens and costs.
import type { DocumentedApi } from "../../worker/support/documented-api.ts";
import { openTold } from "../../worker/support/told-session.ts";
import { inQuery, pageToken, tenantInQuery } from "../places.ts";
import type { ConceptRows } from "../row.ts";

export const ROWS = {
  readUsage: {
    answers: 200,
    query: () => "group_by=day,agent,model,end_user",
    places: [
      { ...pageToken("1"), query: (page) => `group_by=day,agent,model&page=${page}` },
      inQuery("agent_id", ({ ids }) => ids.agent_id),
      inQuery("end_user_id", ({ ids }) => ids.end_user_id),
      inQuery("model_name", ({ word }) => `model-${word}-usage`),
    ],
    shows: ["usage", "user"],
  },
  readUsageSeries: {
    answers: 200,
    query: () => "series_by=agent,model",
    places: [
      tenantInQuery,
      inQuery("agent_id", ({ ids }) => ids.agent_id),
      inQuery("model_name", ({ word }) => `model-${word}-usage`),
    ],
    shows: ["usage"],
  },
} satisfies ConceptRows;

export async function askAll(api: DocumentedApi): Promise<void> {
  const { call } = await openTold();
  await api.ask("readUsage", { query: "?group_by=day,model" }, call);
  await api.ask("readUsage", { query: "?group_by=end_user&format=csv" }, call);
  await api.ask("readUsageSeries", { query: "?series_by=agent,model&interval=hour" }, call);
  await api.ask("readUsageSeries", { query: "?tenant_id=ten_none" }, call);
}

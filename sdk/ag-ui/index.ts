// Clients of AG-UI: an `HttpAgent` for the platform's agents. Needs @ag-ui/client beside it.
export { RepriseAgent } from "./reprise-agent.ts";

export type { RepriseAgentOptions } from "./read-agent-options.ts";

// AG-UI: an `HttpAgent` for the platform's agents. Requires @ag-ui/client as a peer.
export { RepriseAgent } from "./reprise-agent.ts";

export type { RepriseAgentOptions } from "./read-agent-options.ts";

// The cards that definitions of this deployment may name in `card: {file}`. The operator of a deployment adds them here, as
// JSON that its build imports. The one here is that of AgentScope's document.

export interface DeployedCard {
  readonly name: string;
  readonly card: unknown;
}

export const DEPLOYED_CARDS: readonly DeployedCard[] = [
  {
    name: "remote-agent",
    card: {
      name: "RemoteAgent",
      url: "http://localhost:8000",
      description: "Remote A2A Agent",
      version: "1.0.0",
      capabilities: {},
      default_input_modes: ["text/plain"],
      default_output_modes: ["text/plain"],
      skills: [],
    },
  },
];

import type { AgentDefinition } from "../protocol/api/agents.ts";
import type { CredentialType } from "../protocol/api/credentials.ts";

/** A place in an agent's definition that names a credential. */
export interface NamedCredential {
  readonly id: string;
  readonly type: CredentialType;
  /** RFC 6901, in URI fragment form. */
  readonly pointer: string;
}

type CredentialUsers = Partial<Pick<AgentDefinition, "model" | "fallback_models" | "tools">>;

/** Every place, in the definition's order. */
export function namedCredentials(agent: CredentialUsers): readonly NamedCredential[] {
  const models = [
    { model: agent.model, pointer: "#/model" },
    ...(agent.fallback_models ?? []).map((model, index) => {
      return { model, pointer: `#/fallback_models/${index}` };
    }),
  ];
  const named: NamedCredential[] = models.flatMap(({ model, pointer }) =>
    model?.provider === "openai"
      ? nameCredential("model", model.credential_id, `${pointer}/credential_id`)
      : [],
  );
  for (const [index, tool] of (agent.tools ?? []).entries()) {
    if (tool.type !== "http") continue;
    named.push(
      ...nameCredential("tool", tool.credential_id, `#/tools/${index}/credential_id`),
      ...nameCredential(
        "tool",
        tool.signing_credential_id,
        `#/tools/${index}/signing_credential_id`,
      ),
    );
  }
  return named;
}

function nameCredential(
  type: CredentialType,
  id: string | undefined,
  pointer: string,
): readonly NamedCredential[] {
  return id === undefined ? [] : [{ id, type, pointer }];
}

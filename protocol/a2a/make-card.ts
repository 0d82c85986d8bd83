// The card of an agent. It has no member with ProtoJSON's default value, as signatures need it: an empty text, an empty list,
// or a false flag is left out.
import type { A2aSettings } from "./contract.ts";
import { A2A_EXTENSION } from "./extension.ts";
import { A2A_VERSION, type A2aCard, type A2aSkill } from "./wire.ts";

interface DescribedAgent {
  readonly name: string;
  readonly version: number;
  readonly a2a: A2aSettings;
  /** The address of its endpoints. */
  readonly base: string;
}

const TEXT_MODES = ["text/plain", "application/json"] as const;
/** Media that some models are shown: whether the agent's is one of them is not checked. */
const MEDIA_MODES = ["image/png", "image/jpeg", "audio/wav", "application/pdf"] as const;
/** The id of the skill that stands for the whole agent. */
const ONLY_SKILL = "agent";
const SKILL_TAG = "agent";

export function makeCard({ name, version, a2a, base }: DescribedAgent): A2aCard {
  const { description = name, card_skills } = a2a;
  const only = { id: ONLY_SKILL, name, description, tags: [SKILL_TAG] };
  const bindings = ["JSONRPC", "HTTP+JSON"];
  return {
    name,
    description,
    version: String(version),
    supportedInterfaces: bindings.map((protocolBinding) => ({
      url: base,
      protocolBinding,
      protocolVersion: A2A_VERSION,
    })),
    capabilities: {
      streaming: true,
      pushNotifications: true,
      extendedAgentCard: true,
      extensions: [
        {
          uri: A2A_EXTENSION,
          description:
            "Questions of tasks and their answers as data, and streams that go on after Last-Event-ID.",
        },
      ],
    },
    securitySchemes: {
      bearer: {
        httpAuthSecurityScheme: {
          scheme: "Bearer",
          description:
            "An API key, a client token of a session, or a JWT of a token issuer that the agent's owner has registered.",
        },
      },
    },
    securityRequirements: [{ schemes: { bearer: { list: ["replies:write", "sessions:read"] } } }],
    defaultInputModes: [...TEXT_MODES],
    defaultOutputModes: [...TEXT_MODES],
    skills: card_skills ? card_skills.map(toSkill) : [only],
  };
}

/** For callers with a credential: the media that a message may have, too. */
export function makeExtendedCard(agent: DescribedAgent): A2aCard {
  const card = makeCard(agent);
  return { ...card, defaultInputModes: [...TEXT_MODES, ...MEDIA_MODES] };
}

function toSkill({
  id,
  name,
  description,
  tags,
  examples = [],
  input_modes,
  output_modes,
}: NonNullable<A2aSettings["card_skills"]>[number]): A2aSkill {
  return {
    id,
    name,
    description,
    tags,
    ...(examples.length > 0 && { examples }),
    ...(input_modes && { inputModes: input_modes }),
    ...(output_modes && { outputModes: output_modes }),
  };
}

// The JSON of A2A 1.0 (ProtoJSON of a2a.proto, package lf.a2a.v1), for the server of our agents and the client of those of
// others. Members that a peer may leave out are optional; what a peer sends is read by other files of this room.

/** The version of the protocol that is spoken, as `A2A-Version` has it. */
export const A2A_VERSION = "1.0";

export type A2aTaskState =
  | "TASK_STATE_SUBMITTED"
  | "TASK_STATE_WORKING"
  | "TASK_STATE_INPUT_REQUIRED"
  | "TASK_STATE_AUTH_REQUIRED"
  | "TASK_STATE_COMPLETED"
  | "TASK_STATE_FAILED"
  | "TASK_STATE_CANCELED"
  | "TASK_STATE_REJECTED";

type A2aRole = "ROLE_USER" | "ROLE_AGENT";

export type A2aMetadata = Readonly<Record<string, unknown>>;

/** Exactly one of `text`, `raw`, `url` and `data` is there. */
export interface A2aPart {
  readonly text?: string;
  /** Bytes in base64. */
  readonly raw?: string;
  readonly url?: string;
  readonly data?: unknown;
  readonly filename?: string;
  readonly mediaType?: string;
  readonly metadata?: A2aMetadata;
}

export interface A2aMessage {
  readonly messageId: string;
  readonly contextId?: string;
  readonly taskId?: string;
  readonly role: A2aRole;
  readonly parts: readonly A2aPart[];
  readonly metadata?: A2aMetadata;
  readonly extensions?: readonly string[];
  readonly referenceTaskIds?: readonly string[];
}

export interface A2aTaskStatus {
  readonly state: A2aTaskState;
  readonly message?: A2aMessage;
  /** RFC 3339 in UTC, with milliseconds. */
  readonly timestamp?: string;
}

export interface A2aArtifact {
  readonly artifactId: string;
  readonly name?: string;
  readonly description?: string;
  readonly parts: readonly A2aPart[];
  readonly metadata?: A2aMetadata;
  readonly extensions?: readonly string[];
}

export interface A2aTask {
  readonly id: string;
  readonly contextId: string;
  readonly status: A2aTaskStatus;
  readonly artifacts?: readonly A2aArtifact[];
  readonly history?: readonly A2aMessage[];
  readonly metadata?: A2aMetadata;
}

interface A2aStatusUpdate {
  readonly taskId: string;
  readonly contextId: string;
  readonly status: A2aTaskStatus;
  readonly metadata?: A2aMetadata;
}

export interface A2aArtifactUpdate {
  readonly taskId: string;
  readonly contextId: string;
  readonly artifact: A2aArtifact;
  /** Whether the parts follow those of the artifact that was sent under this id. */
  readonly append?: boolean;
  readonly lastChunk?: boolean;
  readonly metadata?: A2aMetadata;
}

/** A frame of a stream, and the body of a push notification: exactly one member is there. */
export interface A2aStreamResponse {
  readonly task?: A2aTask;
  readonly message?: A2aMessage;
  readonly statusUpdate?: A2aStatusUpdate;
  readonly artifactUpdate?: A2aArtifactUpdate;
}

interface A2aAuthentication {
  readonly scheme: string;
  readonly credentials?: string;
}

export interface A2aPushConfig {
  readonly id?: string;
  readonly taskId?: string;
  readonly url: string;
  readonly token?: string;
  readonly authentication?: A2aAuthentication;
}

interface A2aInterface {
  readonly url: string;
  readonly protocolBinding: string;
  readonly protocolVersion: string;
  readonly tenant?: string;
}

export interface A2aExtension {
  readonly uri: string;
  readonly description?: string;
  readonly required?: boolean;
  readonly params?: A2aMetadata;
}

export interface A2aCapabilities {
  readonly streaming?: boolean;
  readonly pushNotifications?: boolean;
  readonly extendedAgentCard?: boolean;
  readonly extensions?: readonly A2aExtension[];
}

export interface A2aSkill {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly examples?: readonly string[];
  readonly inputModes?: readonly string[];
  readonly outputModes?: readonly string[];
}

export interface A2aCardSignature {
  /** The JWS header, base64url. */
  readonly protected: string;
  readonly signature: string;
  readonly header?: A2aMetadata;
}

/** Exactly one member is there. */
export interface A2aSecurityScheme {
  readonly apiKeySecurityScheme?: {
    readonly location: string;
    readonly name: string;
    readonly description?: string;
  };
  readonly httpAuthSecurityScheme?: {
    readonly scheme: string;
    readonly bearerFormat?: string;
    readonly description?: string;
  };
  readonly oauth2SecurityScheme?: {
    readonly flows: {
      readonly clientCredentials?: {
        readonly tokenUrl: string;
        readonly scopes: Readonly<Record<string, string>>;
      };
      readonly [flow: string]: unknown;
    };
    readonly oauth2MetadataUrl?: string;
    readonly description?: string;
  };
  readonly openIdConnectSecurityScheme?: { readonly openIdConnectUrl: string };
  readonly mtlsSecurityScheme?: A2aMetadata;
}

/** Schemes by name, each with the scopes it needs: all of one entry are needed, any entry is enough. */
export interface A2aSecurityRequirement {
  readonly schemes: Readonly<Record<string, { readonly list?: readonly string[] }>>;
}

export interface A2aCard {
  readonly name: string;
  readonly description: string;
  /** The preferred one first. */
  readonly supportedInterfaces: readonly A2aInterface[];
  readonly provider?: { readonly organization: string; readonly url: string };
  readonly version: string;
  readonly documentationUrl?: string;
  readonly iconUrl?: string;
  readonly capabilities: A2aCapabilities;
  readonly securitySchemes?: Readonly<Record<string, A2aSecurityScheme>>;
  readonly securityRequirements?: readonly A2aSecurityRequirement[];
  readonly defaultInputModes: readonly string[];
  readonly defaultOutputModes: readonly string[];
  readonly skills: readonly A2aSkill[];
  readonly signatures?: readonly A2aCardSignature[];
}

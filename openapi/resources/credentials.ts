// Credentials: secrets for models and tools, each bound to hosts.
import {
  CredentialPageSchema,
  CredentialCreateSchema,
  CredentialSchema,
  CredentialUpdateSchema,
} from "../../protocol/credentials/contract.ts";
import { PageQuerySchema } from "../../protocol/schemas/common.ts";
import type { Resource } from "../resource.ts";

export const CREDENTIALS = {
  tags: {
    Credentials: "Secrets that agents use for models and tools. No answer ever holds a secret.",
  },
  operations: {
    createCredential: {
      tag: "Credentials",
      summary: "Create a credential",
      description:
        "It is stored encrypted, and no answer ever holds it. It is sent to the hosts in `allowed_hosts` and to no others.",
      request: { json: CredentialCreateSchema, examples: ["newCredential"] },
      answers: {
        201: { description: "The credential, without its secret.", json: CredentialSchema },
      },
      errors: ["quota_exceeded"],
    },
    listCredentials: {
      tag: "Credentials",
      summary: "List credentials",
      description: "Newest first, without their secrets.",
      query: PageQuerySchema,
      answers: { 200: { description: "A page of credentials.", json: CredentialPageSchema } },
    },
    readCredential: {
      tag: "Credentials",
      summary: "Get a credential",
      description: "What it is for and where it may be sent, without its secret.",
      answers: { 200: { description: "The credential.", json: CredentialSchema } },
    },
    updateCredential: {
      tag: "Credentials",
      summary: "Update a credential's secret or hosts",
      description:
        "Members that are left out do not change, and the id stays: replies that begin or continue afterwards use the new secret and hosts.",
      request: { json: CredentialUpdateSchema, examples: ["rotatedCredential", "credentialHosts"] },
      answers: { 200: { description: "The credential as it is now.", json: CredentialSchema } },
    },
    deleteCredential: {
      tag: "Credentials",
      summary: "Delete a credential",
      description:
        "Replies that begin or continue afterwards cannot use it, and an agent that names it opens no new session until it names another one.",
      answers: { 204: { description: "The credential is removed." } },
    },
  },
  pathParameters: {
    credential_id: "The credential.",
  },

  fieldDescriptions: {
    credential_id: "The credential whose secret is sent as `Authorization: Bearer`.",
    "Credential.allowed_hosts":
      "Where it may be sent: `api.example.com`, `*.example.com` for the names below it, `localhost:8080`. Null for a credential from before hosts were required, which may be sent to any host until it gets some.",
    "Credential.secret": "Printable ASCII without spaces at its ends. No answer ever holds it.",
    "Credential.type": "What the secret is for: it is never sent to the other kind.",
    "Credential.updated_at": "When it was last changed.",
    "Credential.version": "Counts from 1; a new secret and a change of the hosts each add one.",
  },
  examples: {
    newCredential: {
      summary: "The key of a model provider",
      value: {
        name: "Model provider",
        type: "model",
        secret: "sk-0123456789",
        allowed_hosts: ["api.openai.com"],
      },
    },
    rotatedCredential: { summary: "A new secret", value: { secret: "sk-9876543210" } },
    credentialHosts: {
      summary: "Hosts of the shop",
      value: { allowed_hosts: ["shop.example", "*.shop.example"] },
    },
  },
} as const satisfies Resource;

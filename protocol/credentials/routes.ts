// Routes on credentials for models and tools.
import {
  CredentialPageSchema,
  CredentialCreateSchema,
  CredentialSchema,
  CredentialUpdateSchema,
} from "./contract.ts";
import { PageQuerySchema } from "../schemas/common.ts";
import type { Contract, DocumentedRoute } from "../requests/contract.ts";
import { CREDENTIAL_WORDS } from "./words.ts";

const CREDENTIAL_ROUTES = [
  {
    name: "createCredential",
    method: "POST",
    path: "/v1/credentials",
    access: "agents:write",
    keeps_keys: "database",
    body: "small",
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

  {
    name: "listCredentials",
    method: "GET",
    path: "/v1/credentials",
    access: "agents:read",
    body: "none",
    tag: "Credentials",
    summary: "List credentials",
    description: "Newest first, without their secrets.",
    query: PageQuerySchema,
    answers: { 200: { description: "A page of credentials.", json: CredentialPageSchema } },
  },

  {
    name: "readCredential",
    method: "GET",
    path: "/v1/credentials/{credential_id}",
    access: "credentials:read",
    body: "none",
    tag: "Credentials",
    summary: "Get a credential",
    description: "What it is for and where it may be sent, without its secret.",
    answers: { 200: { description: "The credential.", json: CredentialSchema } },
  },

  {
    name: "updateCredential",
    method: "PATCH",
    path: "/v1/credentials/{credential_id}",
    access: "credentials:write",
    body: "small",
    tag: "Credentials",
    summary: "Update a credential's secret or hosts",
    description:
      "Members that are left out do not change, and the id stays: replies that begin or continue afterwards use the new secret and hosts.",
    request: { json: CredentialUpdateSchema, examples: ["rotatedCredential", "credentialHosts"] },
    answers: { 200: { description: "The credential as it is now.", json: CredentialSchema } },
  },

  {
    name: "deleteCredential",
    method: "DELETE",
    path: "/v1/credentials/{credential_id}",
    access: "agents:write",
    body: "none",
    tag: "Credentials",
    summary: "Delete a credential",
    description:
      "Replies that begin or continue afterwards cannot use it, and an agent that names it opens no new session until it names another one. A room that names it writes down no more of what people say.",
    answers: { 204: { description: "The credential is removed." } },
  },
] as const satisfies readonly DocumentedRoute[];

export const CREDENTIAL_CONTRACT = {
  tags: {
    Credentials: "Secrets that agents use for models and tools. No answer ever holds a secret.",
  },
  routes: CREDENTIAL_ROUTES,
  pathParameters: {
    credential_id: { form: "crd", description: "The credential." },
  },
  fields: CREDENTIAL_WORDS,
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
} as const satisfies Contract;

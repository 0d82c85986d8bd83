// Secrets for models and tools, and where they may be sent.
import { PageQuerySchema } from "../protocol/api/schemas/common.ts";
import { noContent, type Operation } from "./operation.ts";

export const CREDENTIAL_OPERATIONS = {
  createCredential: {
    tag: "Credentials",
    summary: "Keep a secret for models or tools",
    description:
      "It is stored encrypted, and no answer ever holds it. It is sent to the hosts in `allowed_hosts` and to no others.",
    body: { schema: "CredentialCreate", examples: ["newCredential"] },
    answers: { 201: { description: "The credential, without its secret.", json: "Credential" } },
    errors: ["quota_exceeded"],
  },
  listCredentials: {
    tag: "Credentials",
    summary: "List credentials",
    description: "Newest first, without their secrets.",
    query: PageQuerySchema,
    answers: { 200: { description: "A page of credentials.", json: "CredentialPage" } },
  },
  readCredential: {
    tag: "Credentials",
    summary: "Read a credential",
    description: "What it is for and where it may be sent, without its secret.",
    answers: { 200: { description: "The credential.", json: "Credential" } },
  },
  updateCredential: {
    tag: "Credentials",
    summary: "Rotate a credential, or change its hosts",
    description:
      "What is left out stays as it is. The id stays too: each reply that begins or goes on afterwards has the new secret and the new hosts.",
    body: { schema: "CredentialUpdate", examples: ["rotatedCredential", "credentialHosts"] },
    answers: { 200: { description: "The credential as it is now.", json: "Credential" } },
  },
  deleteCredential: {
    tag: "Credentials",
    summary: "Remove a credential",
    description:
      "Replies that begin or go on afterwards are refused it, and an agent that names it opens no new session until it names another one.",
    answers: { 204: noContent("The credential is removed.") },
  },
} as const satisfies Readonly<Record<string, Operation>>;

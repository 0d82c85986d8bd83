import { expect, it } from "vitest";

import { asksForSecret } from "../../../../agent/inputs/asks-for-secret.ts";

it.each([
  "password",
  "newPassword",
  "PASS_PHRASE",
  "user-passwd",
  "Your PIN",
  "api_key",
  "apiKey",
  "APIKEY",
  "accessToken",
  "client_secret",
  "Credit card",
  "cardNumber",
  "CVV2",
  "one-time code",
  "verificationCode",
  "otp",
  "Seed phrase",
  "social_security_number",
  "ssn",
  "private key",
])("%s is a secret", (text) => {
  expect(asksForSecret(text)).toBe(true);
});

it.each([
  "seat",
  "email",
  "Postal code",
  "passenger",
  "Which passport do you travel with?",
  "keyboard",
  "pineapple",
  "secretary",
  "business card design",
  "discount code",
  "",
])("%j is none", (text) => {
  expect(asksForSecret(text)).toBe(false);
});

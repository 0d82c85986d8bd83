-- OpenID providers of tenants for the sign-in of members, and the identities that are bound to members.
CREATE TABLE `member_identities` (
	`tenant_id` text NOT NULL,
	`provider_id` text NOT NULL,
	`subject` text NOT NULL,
	`member_id` text NOT NULL,
	`created_at` text NOT NULL,
	PRIMARY KEY(`tenant_id`, `provider_id`, `subject`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE UNIQUE INDEX `member_identities_member` ON `member_identities` (`tenant_id`,`member_id`);
--> statement-breakpoint
CREATE TABLE `sign_in_providers` (
	`id` text PRIMARY KEY NOT NULL,
	`tenant_id` text NOT NULL,
	`name` text NOT NULL,
	`issuer` text NOT NULL,
	`client_id` text NOT NULL,
	`credential_id` text,
	`created_at` text NOT NULL,
	`created_by` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `sign_in_providers_tenant` ON `sign_in_providers` (`tenant_id`,`id`);
--> statement-breakpoint
CREATE TRIGGER `sign_in_providers_bounded` BEFORE INSERT ON `sign_in_providers` WHEN (SELECT count(*) FROM `sign_in_providers` WHERE `tenant_id` = NEW.`tenant_id`) >= 10 BEGIN
  SELECT RAISE(ABORT, 'sign_in_providers_full');
END;

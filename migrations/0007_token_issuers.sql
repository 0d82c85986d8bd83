CREATE TABLE `token_issuers` (
	`id` text PRIMARY KEY NOT NULL,
	`tenant_id` text NOT NULL,
	`name` text NOT NULL,
	`issuer` text NOT NULL,
	`jwks_url` text NOT NULL,
	`audience` text,
	`end_user_claim` text NOT NULL,
	`end_user_prefix` text NOT NULL,
	`verbs` text NOT NULL,
	`agent_ids` text,
	`allowed_origins` text,
	`created_at` text NOT NULL,
	`created_by` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `token_issuers_tenant` ON `token_issuers` (`tenant_id`,`id`);--> statement-breakpoint
CREATE TRIGGER `token_issuers_bounded` BEFORE INSERT ON `token_issuers` WHEN (SELECT count(*) FROM `token_issuers` WHERE `tenant_id` = NEW.`tenant_id`) >= 10 BEGIN
  SELECT RAISE(ABORT, 'token_issuers_full');
END;

CREATE TABLE `agent_versions` (
	`tenant_id` text NOT NULL,
	`agent_id` text NOT NULL,
	`version` integer NOT NULL,
	`definition` text NOT NULL,
	`created_at` text NOT NULL,
	PRIMARY KEY(`agent_id`, `version`)
);
--> statement-breakpoint
CREATE TABLE `agents` (
	`id` text PRIMARY KEY NOT NULL,
	`tenant_id` text NOT NULL,
	`version` integer NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	`deleted_at` text
);
--> statement-breakpoint
CREATE INDEX `agents_tenant` ON `agents` (`tenant_id`,`id`);--> statement-breakpoint
CREATE TABLE `api_keys` (
	`id` text PRIMARY KEY NOT NULL,
	`tenant_id` text NOT NULL,
	`name` text,
	`mode` text NOT NULL,
	`prefix` text NOT NULL,
	`hash` text NOT NULL,
	`scopes` text NOT NULL,
	`created_at` text NOT NULL,
	`expires_at` text,
	`revoked_at` text,
	`last_used_at` text,
	`created_by` text,
	`revoked_reason` text,
	`old_hash` text,
	`old_secret_expires_at` text
);
--> statement-breakpoint
CREATE UNIQUE INDEX `api_keys_hash` ON `api_keys` (`hash`);--> statement-breakpoint
CREATE UNIQUE INDEX `api_keys_old_hash` ON `api_keys` (`old_hash`);--> statement-breakpoint
CREATE INDEX `api_keys_tenant` ON `api_keys` (`tenant_id`,`id`);--> statement-breakpoint
CREATE INDEX `api_keys_maker` ON `api_keys` (`tenant_id`,`created_by`);--> statement-breakpoint
CREATE TABLE `credentials` (
	`id` text PRIMARY KEY NOT NULL,
	`tenant_id` text NOT NULL,
	`name` text NOT NULL,
	`type` text NOT NULL,
	`sealed` text NOT NULL,
	`created_at` text NOT NULL,
	`allowed_hosts` text,
	`version` integer DEFAULT 1 NOT NULL,
	`updated_at` text
);
--> statement-breakpoint
CREATE INDEX `credentials_tenant` ON `credentials` (`tenant_id`,`id`);--> statement-breakpoint
CREATE TABLE `session_states` (
	`session_id` text PRIMARY KEY NOT NULL,
	`tenant_id` text NOT NULL,
	`entry` integer NOT NULL,
	`status` text NOT NULL,
	`agent_version` integer NOT NULL,
	`bytes` integer NOT NULL,
	`session_created_at` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `session_states_status` ON `session_states` (`tenant_id`,`status`,`session_created_at`,`session_id`);--> statement-breakpoint
CREATE TABLE `sessions` (
	`id` text PRIMARY KEY NOT NULL,
	`tenant_id` text NOT NULL,
	`agent_id` text NOT NULL,
	`agent_version` integer NOT NULL,
	`follows_latest` integer DEFAULT false NOT NULL,
	`end_user_id` text,
	`metadata` text NOT NULL,
	`created_at` text NOT NULL,
	`deleted_at` text,
	`removal_due_at` text,
	`forked_from` text
);
--> statement-breakpoint
CREATE INDEX `sessions_tenant` ON `sessions` (`tenant_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `sessions_agent` ON `sessions` (`tenant_id`,`agent_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `sessions_end_user` ON `sessions` (`tenant_id`,`end_user_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `sessions_removals` ON `sessions` (`removal_due_at`) WHERE "sessions"."removal_due_at" IS NOT NULL;--> statement-breakpoint
CREATE TABLE `tenant_counts` (
	`tenant_id` text PRIMARY KEY NOT NULL,
	`sessions` integer DEFAULT 0 NOT NULL,
	`agents` integer DEFAULT 0 NOT NULL,
	`agent_versions` integer DEFAULT 0 NOT NULL,
	`credentials` integer DEFAULT 0 NOT NULL,
	`api_keys` integer DEFAULT 0 NOT NULL,
	`webhook_endpoints` integer DEFAULT 0 NOT NULL,
	`inbound_endpoints` integer DEFAULT 0 NOT NULL,
	`stored_bytes` integer DEFAULT 0 NOT NULL
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `tenant_keys` (
	`tenant_id` text PRIMARY KEY NOT NULL,
	`wrapped` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `tenants` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`metadata` text NOT NULL,
	`created_at` text NOT NULL,
	`status` text DEFAULT 'active' NOT NULL,
	`quotas` text DEFAULT '{"running_replies":200,"tokens_per_day":100000000,"sessions":100000,"agents":1000,"agent_versions":10000,"credentials":1000,"api_keys":100,"webhook_endpoints":50,"inbound_endpoints":50,"stored_bytes":5000000000,"requests":10000}' NOT NULL,
	`revision` integer DEFAULT 0 NOT NULL,
	`deleted_at` text,
	`removal_due_at` text
);
--> statement-breakpoint
CREATE INDEX `tenants_removals` ON `tenants` (`removal_due_at`) WHERE "tenants"."removal_due_at" IS NOT NULL;--> statement-breakpoint
CREATE TABLE `usage` (
	`tenant_id` text NOT NULL,
	`session_id` text NOT NULL,
	`reply_id` text NOT NULL,
	`entry` integer NOT NULL,
	`agent_id` text NOT NULL,
	`model_name` text NOT NULL,
	`day` text NOT NULL,
	`input_tokens` integer NOT NULL,
	`output_tokens` integer NOT NULL,
	`cache_input_tokens` integer NOT NULL,
	`cache_creation_input_tokens` integer NOT NULL,
	PRIMARY KEY(`tenant_id`, `session_id`, `reply_id`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `usage_days` (
	`tenant_id` text NOT NULL,
	`day` text NOT NULL,
	`agent_id` text NOT NULL,
	`model_name` text NOT NULL,
	`replies` integer NOT NULL,
	`input_tokens` integer NOT NULL,
	`output_tokens` integer NOT NULL,
	`cache_input_tokens` integer NOT NULL,
	`cache_creation_input_tokens` integer NOT NULL,
	PRIMARY KEY(`tenant_id`, `day`, `agent_id`, `model_name`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `pending_calls` (
	`tenant_id` text NOT NULL,
	`session_id` text NOT NULL,
	`tool_call_id` text NOT NULL,
	`entry` integer NOT NULL,
	`reply_id` text NOT NULL,
	`agent_id` text NOT NULL,
	`end_user_id` text,
	`kind` text NOT NULL,
	`tool_name` text NOT NULL,
	`call` text,
	`asked_at` text NOT NULL,
	`expires_at` text,
	PRIMARY KEY(`session_id`, `tool_call_id`)
);
--> statement-breakpoint
CREATE INDEX `pending_calls_tenant` ON `pending_calls` (`tenant_id`,`asked_at`,`session_id`,`tool_call_id`);--> statement-breakpoint
CREATE TABLE `inbound_endpoints` (
	`id` text PRIMARY KEY NOT NULL,
	`tenant_id` text NOT NULL,
	`name` text NOT NULL,
	`sealed` text NOT NULL,
	`old_sealed` text,
	`old_secret_expires_at` text,
	`created_at` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `inbound_endpoints_tenant` ON `inbound_endpoints` (`tenant_id`,`id`);--> statement-breakpoint
CREATE TABLE `inbound_messages` (
	`endpoint_id` text NOT NULL,
	`webhook_id` text NOT NULL,
	`tenant_id` text NOT NULL,
	`received_at` text NOT NULL,
	PRIMARY KEY(`endpoint_id`, `webhook_id`)
);
--> statement-breakpoint
CREATE INDEX `inbound_messages_received` ON `inbound_messages` (`endpoint_id`,`received_at`);--> statement-breakpoint
CREATE TABLE `webhook_announcements` (
	`tenant_id` text NOT NULL,
	`session_id` text NOT NULL,
	`tool_call_id` text NOT NULL,
	`kind` text NOT NULL,
	`entry` integer NOT NULL,
	PRIMARY KEY(`session_id`, `tool_call_id`, `kind`)
);
--> statement-breakpoint
CREATE TABLE `webhook_attempts` (
	`delivery_id` text NOT NULL,
	`attempt` integer NOT NULL,
	`tenant_id` text NOT NULL,
	`at` text NOT NULL,
	`status` integer,
	`error` text,
	`duration_ms` integer NOT NULL,
	PRIMARY KEY(`delivery_id`, `attempt`)
);
--> statement-breakpoint
CREATE TABLE `webhook_deliveries` (
	`id` text PRIMARY KEY NOT NULL,
	`tenant_id` text NOT NULL,
	`endpoint_id` text NOT NULL,
	`message_id` text NOT NULL,
	`type` text NOT NULL,
	`payload` text NOT NULL,
	`status` text NOT NULL,
	`attempts` integer NOT NULL,
	`attempts_before` integer DEFAULT 0 NOT NULL,
	`next_attempt_at` text,
	`waits` integer DEFAULT false NOT NULL,
	`overdue_at` text,
	`created_at` text NOT NULL,
	`finished_at` text
);
--> statement-breakpoint
CREATE UNIQUE INDEX `webhook_deliveries_message` ON `webhook_deliveries` (`endpoint_id`,`message_id`);--> statement-breakpoint
CREATE INDEX `webhook_deliveries_endpoint` ON `webhook_deliveries` (`tenant_id`,`endpoint_id`,`id`);--> statement-breakpoint
CREATE INDEX `webhook_deliveries_overdue` ON `webhook_deliveries` (`overdue_at`) WHERE "webhook_deliveries"."overdue_at" IS NOT NULL;--> statement-breakpoint
CREATE INDEX `webhook_deliveries_waiting` ON `webhook_deliveries` (`tenant_id`,`endpoint_id`,`next_attempt_at`) WHERE "webhook_deliveries"."waits" = 1;--> statement-breakpoint
CREATE TABLE `webhook_endpoints` (
	`id` text PRIMARY KEY NOT NULL,
	`tenant_id` text NOT NULL,
	`url` text NOT NULL,
	`description` text,
	`events` text NOT NULL,
	`callback_verbs` text DEFAULT '["confirm","tool_result"]' NOT NULL,
	`sealed` text NOT NULL,
	`old_sealed` text,
	`old_secret_expires_at` text,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	`disabled_at` text,
	`disabled_reason` text,
	`disabled_untold` integer DEFAULT false NOT NULL,
	`failing_since` text,
	`circuit_failures` integer DEFAULT 0 NOT NULL,
	`circuit_retry_at` text
);
--> statement-breakpoint
CREATE INDEX `webhook_endpoints_tenant` ON `webhook_endpoints` (`tenant_id`,`id`);--> statement-breakpoint
CREATE INDEX `webhook_endpoints_untold` ON `webhook_endpoints` (`disabled_at`) WHERE "webhook_endpoints"."disabled_untold" = 1;--> statement-breakpoint
CREATE TABLE `webhook_leases` (
	`tenant_id` text NOT NULL,
	`endpoint_id` text NOT NULL,
	`delivery_id` text NOT NULL,
	`attempt` integer NOT NULL,
	`expires_at` text NOT NULL,
	PRIMARY KEY(`tenant_id`, `endpoint_id`, `delivery_id`, `attempt`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `idempotency_keys` (
	`tenant_id` text NOT NULL,
	`path` text NOT NULL,
	`key` text NOT NULL,
	`fingerprint` text NOT NULL,
	`claim_id` text NOT NULL,
	`leased_until` integer NOT NULL,
	`answer` text,
	`expires_at` integer NOT NULL,
	PRIMARY KEY(`tenant_id`, `path`, `key`)
);
--> statement-breakpoint
CREATE INDEX `idempotency_keys_expiry` ON `idempotency_keys` (`expires_at`);--> statement-breakpoint
CREATE TABLE `audit_entries` (
	`tenant_id` text NOT NULL,
	`id` text NOT NULL,
	`created_at` text NOT NULL,
	`actor_kind` text NOT NULL,
	`actor_id` text,
	`action` text NOT NULL,
	`target_id` text NOT NULL,
	`before` text,
	`after` text,
	`address` text,
	`request_id` text NOT NULL,
	PRIMARY KEY(`tenant_id`, `id`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `audit_entries_age` ON `audit_entries` (`created_at`);
--> statement-breakpoint
CREATE TRIGGER `tenants_counted` AFTER INSERT ON `tenants` BEGIN
  INSERT INTO `tenant_counts` (`tenant_id`) VALUES (NEW.`id`);
END;
--> statement-breakpoint
CREATE TRIGGER `sessions_counted` AFTER INSERT ON `sessions` BEGIN
  UPDATE `tenant_counts` SET `sessions` = `sessions` + 1 WHERE `tenant_id` = NEW.`tenant_id`;
  SELECT RAISE(ABORT, 'quota_exceeded sessions') FROM `tenant_counts` JOIN `tenants` ON `tenants`.`id` = `tenant_counts`.`tenant_id`
    WHERE `tenant_counts`.`tenant_id` = NEW.`tenant_id` AND `tenant_counts`.`sessions` > json_extract(`tenants`.`quotas`, '$.sessions');
END;
--> statement-breakpoint
CREATE TRIGGER `sessions_uncounted` AFTER DELETE ON `sessions` BEGIN
  UPDATE `tenant_counts` SET `sessions` = `sessions` - 1 WHERE `tenant_id` = OLD.`tenant_id`;
END;
--> statement-breakpoint
CREATE TRIGGER `credentials_counted` AFTER INSERT ON `credentials` BEGIN
  UPDATE `tenant_counts` SET `credentials` = `credentials` + 1 WHERE `tenant_id` = NEW.`tenant_id`;
  SELECT RAISE(ABORT, 'quota_exceeded credentials') FROM `tenant_counts` JOIN `tenants` ON `tenants`.`id` = `tenant_counts`.`tenant_id`
    WHERE `tenant_counts`.`tenant_id` = NEW.`tenant_id` AND `tenant_counts`.`credentials` > json_extract(`tenants`.`quotas`, '$.credentials');
END;
--> statement-breakpoint
CREATE TRIGGER `credentials_uncounted` AFTER DELETE ON `credentials` BEGIN
  UPDATE `tenant_counts` SET `credentials` = `credentials` - 1 WHERE `tenant_id` = OLD.`tenant_id`;
END;
--> statement-breakpoint
CREATE TRIGGER `webhook_endpoints_counted` AFTER INSERT ON `webhook_endpoints` BEGIN
  UPDATE `tenant_counts` SET `webhook_endpoints` = `webhook_endpoints` + 1 WHERE `tenant_id` = NEW.`tenant_id`;
  SELECT RAISE(ABORT, 'quota_exceeded webhook_endpoints') FROM `tenant_counts` JOIN `tenants` ON `tenants`.`id` = `tenant_counts`.`tenant_id`
    WHERE `tenant_counts`.`tenant_id` = NEW.`tenant_id` AND `tenant_counts`.`webhook_endpoints` > json_extract(`tenants`.`quotas`, '$.webhook_endpoints');
END;
--> statement-breakpoint
CREATE TRIGGER `webhook_endpoints_uncounted` AFTER DELETE ON `webhook_endpoints` BEGIN
  UPDATE `tenant_counts` SET `webhook_endpoints` = `webhook_endpoints` - 1 WHERE `tenant_id` = OLD.`tenant_id`;
END;
--> statement-breakpoint
CREATE TRIGGER `inbound_endpoints_counted` AFTER INSERT ON `inbound_endpoints` BEGIN
  UPDATE `tenant_counts` SET `inbound_endpoints` = `inbound_endpoints` + 1 WHERE `tenant_id` = NEW.`tenant_id`;
  SELECT RAISE(ABORT, 'quota_exceeded inbound_endpoints') FROM `tenant_counts` JOIN `tenants` ON `tenants`.`id` = `tenant_counts`.`tenant_id`
    WHERE `tenant_counts`.`tenant_id` = NEW.`tenant_id` AND `tenant_counts`.`inbound_endpoints` > json_extract(`tenants`.`quotas`, '$.inbound_endpoints');
END;
--> statement-breakpoint
CREATE TRIGGER `inbound_endpoints_uncounted` AFTER DELETE ON `inbound_endpoints` BEGIN
  UPDATE `tenant_counts` SET `inbound_endpoints` = `inbound_endpoints` - 1 WHERE `tenant_id` = OLD.`tenant_id`;
END;
--> statement-breakpoint
CREATE TRIGGER `agents_counted` AFTER INSERT ON `agents` WHEN NEW.`deleted_at` IS NULL BEGIN
  UPDATE `tenant_counts` SET `agents` = `agents` + 1 WHERE `tenant_id` = NEW.`tenant_id`;
  SELECT RAISE(ABORT, 'quota_exceeded agents') FROM `tenant_counts` JOIN `tenants` ON `tenants`.`id` = `tenant_counts`.`tenant_id`
    WHERE `tenant_counts`.`tenant_id` = NEW.`tenant_id` AND `tenant_counts`.`agents` > json_extract(`tenants`.`quotas`, '$.agents');
END;
--> statement-breakpoint
CREATE TRIGGER `agents_ended` AFTER UPDATE OF `deleted_at` ON `agents` WHEN OLD.`deleted_at` IS NULL AND NEW.`deleted_at` IS NOT NULL BEGIN
  UPDATE `tenant_counts` SET `agents` = `agents` - 1 WHERE `tenant_id` = OLD.`tenant_id`;
END;
--> statement-breakpoint
CREATE TRIGGER `agents_uncounted` AFTER DELETE ON `agents` WHEN OLD.`deleted_at` IS NULL BEGIN
  UPDATE `tenant_counts` SET `agents` = `agents` - 1 WHERE `tenant_id` = OLD.`tenant_id`;
END;
--> statement-breakpoint
CREATE TRIGGER `api_keys_counted` AFTER INSERT ON `api_keys` WHEN NEW.`revoked_at` IS NULL BEGIN
  UPDATE `tenant_counts` SET `api_keys` = `api_keys` + 1 WHERE `tenant_id` = NEW.`tenant_id`;
  SELECT RAISE(ABORT, 'quota_exceeded api_keys') FROM `tenant_counts` JOIN `tenants` ON `tenants`.`id` = `tenant_counts`.`tenant_id`
    WHERE `tenant_counts`.`tenant_id` = NEW.`tenant_id` AND `tenant_counts`.`api_keys` > json_extract(`tenants`.`quotas`, '$.api_keys');
END;
--> statement-breakpoint
CREATE TRIGGER `api_keys_ended` AFTER UPDATE OF `revoked_at` ON `api_keys` WHEN OLD.`revoked_at` IS NULL AND NEW.`revoked_at` IS NOT NULL BEGIN
  UPDATE `tenant_counts` SET `api_keys` = `api_keys` - 1 WHERE `tenant_id` = OLD.`tenant_id`;
END;
--> statement-breakpoint
CREATE TRIGGER `api_keys_uncounted` AFTER DELETE ON `api_keys` WHEN OLD.`revoked_at` IS NULL BEGIN
  UPDATE `tenant_counts` SET `api_keys` = `api_keys` - 1 WHERE `tenant_id` = OLD.`tenant_id`;
END;
--> statement-breakpoint
CREATE TRIGGER `agent_versions_counted` AFTER INSERT ON `agent_versions` BEGIN
  UPDATE `tenant_counts` SET `agent_versions` = `agent_versions` + 1, `stored_bytes` = `stored_bytes` + length(CAST(NEW.`definition` AS BLOB)) WHERE `tenant_id` = NEW.`tenant_id`;
  SELECT RAISE(ABORT, 'quota_exceeded agent_versions') FROM `tenant_counts` JOIN `tenants` ON `tenants`.`id` = `tenant_counts`.`tenant_id`
    WHERE `tenant_counts`.`tenant_id` = NEW.`tenant_id` AND `tenant_counts`.`agent_versions` > json_extract(`tenants`.`quotas`, '$.agent_versions');
  SELECT RAISE(ABORT, 'quota_exceeded stored_bytes') FROM `tenant_counts` JOIN `tenants` ON `tenants`.`id` = `tenant_counts`.`tenant_id`
    WHERE `tenant_counts`.`tenant_id` = NEW.`tenant_id` AND `tenant_counts`.`stored_bytes` > json_extract(`tenants`.`quotas`, '$.stored_bytes');
END;
--> statement-breakpoint
CREATE TRIGGER `agent_versions_uncounted` AFTER DELETE ON `agent_versions` BEGIN
  UPDATE `tenant_counts` SET `agent_versions` = `agent_versions` - 1, `stored_bytes` = `stored_bytes` - length(CAST(OLD.`definition` AS BLOB)) WHERE `tenant_id` = OLD.`tenant_id`;
END;
--> statement-breakpoint
CREATE TRIGGER `session_states_counted` AFTER INSERT ON `session_states` BEGIN
  UPDATE `tenant_counts` SET `stored_bytes` = `stored_bytes` + NEW.`bytes` WHERE `tenant_id` = NEW.`tenant_id`;
END;
--> statement-breakpoint
CREATE TRIGGER `session_states_recounted` AFTER UPDATE OF `bytes` ON `session_states` WHEN NEW.`bytes` <> OLD.`bytes` BEGIN
  UPDATE `tenant_counts` SET `stored_bytes` = `stored_bytes` + NEW.`bytes` - OLD.`bytes` WHERE `tenant_id` = NEW.`tenant_id`;
END;
--> statement-breakpoint
CREATE TRIGGER `session_states_uncounted` AFTER DELETE ON `session_states` WHEN OLD.`bytes` <> 0 BEGIN
  UPDATE `tenant_counts` SET `stored_bytes` = `stored_bytes` - OLD.`bytes` WHERE `tenant_id` = OLD.`tenant_id`;
END;

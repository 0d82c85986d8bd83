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
CREATE INDEX `audit_entries_age` ON `audit_entries` (`created_at`);--> statement-breakpoint
ALTER TABLE `api_keys` ADD `created_by` text;--> statement-breakpoint
ALTER TABLE `api_keys` ADD `revoked_reason` text;--> statement-breakpoint
CREATE INDEX `api_keys_maker` ON `api_keys` (`tenant_id`,`created_by`);--> statement-breakpoint
ALTER TABLE `credentials` ADD `allowed_hosts` text;--> statement-breakpoint
ALTER TABLE `credentials` ADD `version` integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE `credentials` ADD `updated_at` text;--> statement-breakpoint
ALTER TABLE `session_states` ADD `bytes` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `tenants` ADD `status` text DEFAULT 'active' NOT NULL;--> statement-breakpoint
ALTER TABLE `tenants` ADD `quotas` text DEFAULT '{"running_replies":200,"tokens_per_day":100000000,"sessions":100000,"agents":1000,"agent_versions":10000,"credentials":1000,"api_keys":100,"webhook_endpoints":50,"inbound_endpoints":50,"stored_bytes":5000000000,"requests":10000}' NOT NULL;--> statement-breakpoint
ALTER TABLE `tenants` ADD `revision` integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
ALTER TABLE `tenants` ADD `removal_due_at` text;
--> statement-breakpoint
CREATE INDEX `tenants_removals` ON `tenants` (`removal_due_at`) WHERE "tenants"."removal_due_at" IS NOT NULL;
--> statement-breakpoint
UPDATE `tenants` SET `status` = 'closed', `removal_due_at` = `deleted_at` WHERE `deleted_at` IS NOT NULL;
--> statement-breakpoint
INSERT INTO `tenant_counts` (`tenant_id`, `sessions`, `agents`, `credentials`, `api_keys`, `webhook_endpoints`, `inbound_endpoints`)
SELECT `id`,
  (SELECT count(*) FROM `sessions` WHERE `tenant_id` = `tenants`.`id`),
  (SELECT count(*) FROM `agents` WHERE `tenant_id` = `tenants`.`id` AND `deleted_at` IS NULL),
  (SELECT count(*) FROM `credentials` WHERE `tenant_id` = `tenants`.`id`),
  (SELECT count(*) FROM `api_keys` WHERE `tenant_id` = `tenants`.`id` AND `revoked_at` IS NULL),
  (SELECT count(*) FROM `webhook_endpoints` WHERE `tenant_id` = `tenants`.`id`),
  (SELECT count(*) FROM `inbound_endpoints` WHERE `tenant_id` = `tenants`.`id`)
FROM `tenants`;
--> statement-breakpoint
UPDATE `tenant_counts` SET `agent_versions` = `found`.`versions`, `stored_bytes` = `found`.`bytes`
FROM (SELECT `tenant_id`, count(*) AS `versions`, sum(length(CAST(`definition` AS BLOB))) AS `bytes`
  FROM `agent_versions` GROUP BY `tenant_id`) AS `found`
WHERE `found`.`tenant_id` = `tenant_counts`.`tenant_id`;
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
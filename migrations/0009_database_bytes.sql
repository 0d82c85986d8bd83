-- The bytes of a tenant's rows in this database, each as its texts and a constant for the rest. Rows that a tenant's request
-- makes are refused above the quota `database_bytes`; what the platform writes about what has happened is counted and never
-- refused, and so is what ends or deletes something. No count falls below zero.
ALTER TABLE `tenant_counts` ADD `database_bytes` integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
CREATE TRIGGER `idempotency_keys_sized` AFTER INSERT ON `idempotency_keys` BEGIN
  UPDATE `tenant_counts` SET `database_bytes` = `database_bytes` + 300 + ifnull(length(CAST(NEW.`path` AS BLOB)), 0) + ifnull(length(CAST(NEW.`key` AS BLOB)), 0) + ifnull(length(CAST(NEW.`answer` AS BLOB)), 0) WHERE `tenant_id` = NEW.`tenant_id`;
  SELECT RAISE(ABORT, 'quota_exceeded database_bytes') FROM `tenant_counts` JOIN `tenants` ON `tenants`.`id` = `tenant_counts`.`tenant_id`
    WHERE NEW.`fingerprint` NOT IN ('mcp-call', 'mcp-cancelled') AND `tenant_counts`.`tenant_id` = NEW.`tenant_id` AND `tenant_counts`.`database_bytes` > coalesce(json_extract(`tenants`.`quotas`, '$.database_bytes'), 1000000000);
END;
--> statement-breakpoint
CREATE TRIGGER `idempotency_keys_unsized` AFTER DELETE ON `idempotency_keys` BEGIN
  UPDATE `tenant_counts` SET `database_bytes` = max(`database_bytes` - (300 + ifnull(length(CAST(OLD.`path` AS BLOB)), 0) + ifnull(length(CAST(OLD.`key` AS BLOB)), 0) + ifnull(length(CAST(OLD.`answer` AS BLOB)), 0)), 0) WHERE `tenant_id` = OLD.`tenant_id`;
END;
--> statement-breakpoint
CREATE TRIGGER `idempotency_keys_resized` AFTER UPDATE OF `answer` ON `idempotency_keys` WHEN NEW.`answer` IS NOT OLD.`answer` BEGIN
  UPDATE `tenant_counts` SET `database_bytes` = max(`database_bytes` + (300 + ifnull(length(CAST(NEW.`path` AS BLOB)), 0) + ifnull(length(CAST(NEW.`key` AS BLOB)), 0) + ifnull(length(CAST(NEW.`answer` AS BLOB)), 0)) - (300 + ifnull(length(CAST(OLD.`path` AS BLOB)), 0) + ifnull(length(CAST(OLD.`key` AS BLOB)), 0) + ifnull(length(CAST(OLD.`answer` AS BLOB)), 0)), 0) WHERE `tenant_id` = NEW.`tenant_id`;
END;
--> statement-breakpoint
CREATE TRIGGER `audit_entries_sized` AFTER INSERT ON `audit_entries` BEGIN
  UPDATE `tenant_counts` SET `database_bytes` = `database_bytes` + 300 + ifnull(length(CAST(NEW.`target_id` AS BLOB)), 0) + ifnull(length(CAST(NEW.`before` AS BLOB)), 0) + ifnull(length(CAST(NEW.`after` AS BLOB)), 0) + ifnull(length(CAST(NEW.`address` AS BLOB)), 0) WHERE `tenant_id` = NEW.`tenant_id`;
  SELECT RAISE(ABORT, 'quota_exceeded database_bytes') FROM `tenant_counts` JOIN `tenants` ON `tenants`.`id` = `tenant_counts`.`tenant_id`
    WHERE NEW.`actor_kind` = 'api_key' AND NEW.`action` NOT LIKE '%.deleted' AND NEW.`action` NOT IN ('api_key.revoked', 'session.rule_removed', 'console_session.ended') AND `tenant_counts`.`tenant_id` = NEW.`tenant_id` AND `tenant_counts`.`database_bytes` > coalesce(json_extract(`tenants`.`quotas`, '$.database_bytes'), 1000000000);
END;
--> statement-breakpoint
CREATE TRIGGER `audit_entries_unsized` AFTER DELETE ON `audit_entries` BEGIN
  UPDATE `tenant_counts` SET `database_bytes` = max(`database_bytes` - (300 + ifnull(length(CAST(OLD.`target_id` AS BLOB)), 0) + ifnull(length(CAST(OLD.`before` AS BLOB)), 0) + ifnull(length(CAST(OLD.`after` AS BLOB)), 0) + ifnull(length(CAST(OLD.`address` AS BLOB)), 0)), 0) WHERE `tenant_id` = OLD.`tenant_id`;
END;
--> statement-breakpoint
CREATE TRIGGER `connections_sized` AFTER INSERT ON `connections` BEGIN
  UPDATE `tenant_counts` SET `database_bytes` = `database_bytes` + 500 + ifnull(length(CAST(NEW.`end_user_id` AS BLOB)), 0) + ifnull(length(CAST(NEW.`bound_to` AS BLOB)), 0) + ifnull(length(CAST(NEW.`issuer` AS BLOB)), 0) + ifnull(length(CAST(NEW.`scope` AS BLOB)), 0) + ifnull(length(CAST(NEW.`failure` AS BLOB)), 0) + ifnull(length(CAST(NEW.`grant` AS BLOB)), 0) + ifnull(length(CAST(NEW.`attempt` AS BLOB)), 0) + ifnull(length(CAST(NEW.`session_ids` AS BLOB)), 0) WHERE `tenant_id` = NEW.`tenant_id`;
  SELECT RAISE(ABORT, 'quota_exceeded database_bytes') FROM `tenant_counts` JOIN `tenants` ON `tenants`.`id` = `tenant_counts`.`tenant_id`
    WHERE `tenant_counts`.`tenant_id` = NEW.`tenant_id` AND `tenant_counts`.`database_bytes` > coalesce(json_extract(`tenants`.`quotas`, '$.database_bytes'), 1000000000);
END;
--> statement-breakpoint
CREATE TRIGGER `connections_unsized` AFTER DELETE ON `connections` BEGIN
  UPDATE `tenant_counts` SET `database_bytes` = max(`database_bytes` - (500 + ifnull(length(CAST(OLD.`end_user_id` AS BLOB)), 0) + ifnull(length(CAST(OLD.`bound_to` AS BLOB)), 0) + ifnull(length(CAST(OLD.`issuer` AS BLOB)), 0) + ifnull(length(CAST(OLD.`scope` AS BLOB)), 0) + ifnull(length(CAST(OLD.`failure` AS BLOB)), 0) + ifnull(length(CAST(OLD.`grant` AS BLOB)), 0) + ifnull(length(CAST(OLD.`attempt` AS BLOB)), 0) + ifnull(length(CAST(OLD.`session_ids` AS BLOB)), 0)), 0) WHERE `tenant_id` = OLD.`tenant_id`;
END;
--> statement-breakpoint
CREATE TRIGGER `connections_resized` AFTER UPDATE OF `bound_to`, `issuer`, `scope`, `failure`, `grant`, `attempt`, `session_ids` ON `connections` WHEN NEW.`bound_to` IS NOT OLD.`bound_to` OR NEW.`issuer` IS NOT OLD.`issuer` OR NEW.`scope` IS NOT OLD.`scope` OR NEW.`failure` IS NOT OLD.`failure` OR NEW.`grant` IS NOT OLD.`grant` OR NEW.`attempt` IS NOT OLD.`attempt` OR NEW.`session_ids` IS NOT OLD.`session_ids` BEGIN
  UPDATE `tenant_counts` SET `database_bytes` = max(`database_bytes` + (500 + ifnull(length(CAST(NEW.`end_user_id` AS BLOB)), 0) + ifnull(length(CAST(NEW.`bound_to` AS BLOB)), 0) + ifnull(length(CAST(NEW.`issuer` AS BLOB)), 0) + ifnull(length(CAST(NEW.`scope` AS BLOB)), 0) + ifnull(length(CAST(NEW.`failure` AS BLOB)), 0) + ifnull(length(CAST(NEW.`grant` AS BLOB)), 0) + ifnull(length(CAST(NEW.`attempt` AS BLOB)), 0) + ifnull(length(CAST(NEW.`session_ids` AS BLOB)), 0)) - (500 + ifnull(length(CAST(OLD.`end_user_id` AS BLOB)), 0) + ifnull(length(CAST(OLD.`bound_to` AS BLOB)), 0) + ifnull(length(CAST(OLD.`issuer` AS BLOB)), 0) + ifnull(length(CAST(OLD.`scope` AS BLOB)), 0) + ifnull(length(CAST(OLD.`failure` AS BLOB)), 0) + ifnull(length(CAST(OLD.`grant` AS BLOB)), 0) + ifnull(length(CAST(OLD.`attempt` AS BLOB)), 0) + ifnull(length(CAST(OLD.`session_ids` AS BLOB)), 0)), 0) WHERE `tenant_id` = NEW.`tenant_id`;
END;
--> statement-breakpoint
CREATE TRIGGER `oauth_clients_sized` AFTER INSERT ON `oauth_clients` BEGIN
  UPDATE `tenant_counts` SET `database_bytes` = `database_bytes` + 200 + ifnull(length(CAST(NEW.`issuer` AS BLOB)), 0) + ifnull(length(CAST(NEW.`client` AS BLOB)), 0) WHERE `tenant_id` = NEW.`tenant_id`;
  SELECT RAISE(ABORT, 'quota_exceeded database_bytes') FROM `tenant_counts` JOIN `tenants` ON `tenants`.`id` = `tenant_counts`.`tenant_id`
    WHERE `tenant_counts`.`tenant_id` = NEW.`tenant_id` AND `tenant_counts`.`database_bytes` > coalesce(json_extract(`tenants`.`quotas`, '$.database_bytes'), 1000000000);
END;
--> statement-breakpoint
CREATE TRIGGER `oauth_clients_unsized` AFTER DELETE ON `oauth_clients` BEGIN
  UPDATE `tenant_counts` SET `database_bytes` = max(`database_bytes` - (200 + ifnull(length(CAST(OLD.`issuer` AS BLOB)), 0) + ifnull(length(CAST(OLD.`client` AS BLOB)), 0)), 0) WHERE `tenant_id` = OLD.`tenant_id`;
END;
--> statement-breakpoint
CREATE TRIGGER `oauth_clients_resized` AFTER UPDATE OF `client` ON `oauth_clients` WHEN NEW.`client` IS NOT OLD.`client` BEGIN
  UPDATE `tenant_counts` SET `database_bytes` = max(`database_bytes` + (200 + ifnull(length(CAST(NEW.`issuer` AS BLOB)), 0) + ifnull(length(CAST(NEW.`client` AS BLOB)), 0)) - (200 + ifnull(length(CAST(OLD.`issuer` AS BLOB)), 0) + ifnull(length(CAST(OLD.`client` AS BLOB)), 0)), 0) WHERE `tenant_id` = NEW.`tenant_id`;
END;
--> statement-breakpoint
CREATE TRIGGER `mcp_catalogues_sized` AFTER INSERT ON `mcp_catalogues` BEGIN
  UPDATE `tenant_counts` SET `database_bytes` = `database_bytes` + 200 + ifnull(length(CAST(NEW.`end_user_id` AS BLOB)), 0) + ifnull(length(CAST(NEW.`dialect` AS BLOB)), 0) + ifnull(length(CAST(NEW.`tools` AS BLOB)), 0) WHERE `tenant_id` = NEW.`tenant_id`;
END;
--> statement-breakpoint
CREATE TRIGGER `mcp_catalogues_unsized` AFTER DELETE ON `mcp_catalogues` BEGIN
  UPDATE `tenant_counts` SET `database_bytes` = max(`database_bytes` - (200 + ifnull(length(CAST(OLD.`end_user_id` AS BLOB)), 0) + ifnull(length(CAST(OLD.`dialect` AS BLOB)), 0) + ifnull(length(CAST(OLD.`tools` AS BLOB)), 0)), 0) WHERE `tenant_id` = OLD.`tenant_id`;
END;
--> statement-breakpoint
CREATE TRIGGER `mcp_catalogues_resized` AFTER UPDATE OF `dialect`, `tools` ON `mcp_catalogues` WHEN NEW.`dialect` IS NOT OLD.`dialect` OR NEW.`tools` IS NOT OLD.`tools` BEGIN
  UPDATE `tenant_counts` SET `database_bytes` = max(`database_bytes` + (200 + ifnull(length(CAST(NEW.`end_user_id` AS BLOB)), 0) + ifnull(length(CAST(NEW.`dialect` AS BLOB)), 0) + ifnull(length(CAST(NEW.`tools` AS BLOB)), 0)) - (200 + ifnull(length(CAST(OLD.`end_user_id` AS BLOB)), 0) + ifnull(length(CAST(OLD.`dialect` AS BLOB)), 0) + ifnull(length(CAST(OLD.`tools` AS BLOB)), 0)), 0) WHERE `tenant_id` = NEW.`tenant_id`;
END;
--> statement-breakpoint
CREATE TRIGGER `console_sessions_sized` AFTER INSERT ON `console_sessions` BEGIN
  UPDATE `tenant_counts` SET `database_bytes` = `database_bytes` + 500 + ifnull(length(CAST(NEW.`scopes` AS BLOB)), 0) WHERE `tenant_id` = NEW.`tenant_id`;
  SELECT RAISE(ABORT, 'quota_exceeded database_bytes') FROM `tenant_counts` JOIN `tenants` ON `tenants`.`id` = `tenant_counts`.`tenant_id`
    WHERE `tenant_counts`.`tenant_id` = NEW.`tenant_id` AND `tenant_counts`.`database_bytes` > coalesce(json_extract(`tenants`.`quotas`, '$.database_bytes'), 1000000000);
END;
--> statement-breakpoint
CREATE TRIGGER `console_sessions_unsized` AFTER DELETE ON `console_sessions` BEGIN
  UPDATE `tenant_counts` SET `database_bytes` = max(`database_bytes` - (500 + ifnull(length(CAST(OLD.`scopes` AS BLOB)), 0)), 0) WHERE `tenant_id` = OLD.`tenant_id`;
END;
--> statement-breakpoint
CREATE TRIGGER `inbound_messages_sized` AFTER INSERT ON `inbound_messages` BEGIN
  UPDATE `tenant_counts` SET `database_bytes` = `database_bytes` + 200 + ifnull(length(CAST(NEW.`webhook_id` AS BLOB)), 0) WHERE `tenant_id` = NEW.`tenant_id`;
  SELECT RAISE(ABORT, 'quota_exceeded database_bytes') FROM `tenant_counts` JOIN `tenants` ON `tenants`.`id` = `tenant_counts`.`tenant_id`
    WHERE `tenant_counts`.`tenant_id` = NEW.`tenant_id` AND `tenant_counts`.`database_bytes` > coalesce(json_extract(`tenants`.`quotas`, '$.database_bytes'), 1000000000);
END;
--> statement-breakpoint
CREATE TRIGGER `inbound_messages_unsized` AFTER DELETE ON `inbound_messages` BEGIN
  UPDATE `tenant_counts` SET `database_bytes` = max(`database_bytes` - (200 + ifnull(length(CAST(OLD.`webhook_id` AS BLOB)), 0)), 0) WHERE `tenant_id` = OLD.`tenant_id`;
END;
--> statement-breakpoint
CREATE TRIGGER `skill_versions_sized` AFTER INSERT ON `skill_versions` BEGIN
  UPDATE `tenant_counts` SET `database_bytes` = `database_bytes` + 200 + ifnull(length(CAST(NEW.`description` AS BLOB)), 0) + ifnull(length(CAST(NEW.`files` AS BLOB)), 0) WHERE `tenant_id` = NEW.`tenant_id`;
  SELECT RAISE(ABORT, 'quota_exceeded database_bytes') FROM `tenant_counts` JOIN `tenants` ON `tenants`.`id` = `tenant_counts`.`tenant_id`
    WHERE `tenant_counts`.`tenant_id` = NEW.`tenant_id` AND `tenant_counts`.`database_bytes` > coalesce(json_extract(`tenants`.`quotas`, '$.database_bytes'), 1000000000);
END;
--> statement-breakpoint
CREATE TRIGGER `skill_versions_unsized` AFTER DELETE ON `skill_versions` BEGIN
  UPDATE `tenant_counts` SET `database_bytes` = max(`database_bytes` - (200 + ifnull(length(CAST(OLD.`description` AS BLOB)), 0) + ifnull(length(CAST(OLD.`files` AS BLOB)), 0)), 0) WHERE `tenant_id` = OLD.`tenant_id`;
END;
--> statement-breakpoint
CREATE TRIGGER `pending_calls_sized` AFTER INSERT ON `pending_calls` BEGIN
  UPDATE `tenant_counts` SET `database_bytes` = `database_bytes` + 300 + ifnull(length(CAST(NEW.`tool_call_id` AS BLOB)), 0) + ifnull(length(CAST(NEW.`tool_name` AS BLOB)), 0) + ifnull(length(CAST(NEW.`end_user_id` AS BLOB)), 0) + ifnull(length(CAST(NEW.`call` AS BLOB)), 0) WHERE `tenant_id` = NEW.`tenant_id`;
END;
--> statement-breakpoint
CREATE TRIGGER `pending_calls_unsized` AFTER DELETE ON `pending_calls` BEGIN
  UPDATE `tenant_counts` SET `database_bytes` = max(`database_bytes` - (300 + ifnull(length(CAST(OLD.`tool_call_id` AS BLOB)), 0) + ifnull(length(CAST(OLD.`tool_name` AS BLOB)), 0) + ifnull(length(CAST(OLD.`end_user_id` AS BLOB)), 0) + ifnull(length(CAST(OLD.`call` AS BLOB)), 0)), 0) WHERE `tenant_id` = OLD.`tenant_id`;
END;
--> statement-breakpoint
CREATE TRIGGER `pending_calls_resized` AFTER UPDATE OF `call` ON `pending_calls` WHEN NEW.`call` IS NOT OLD.`call` BEGIN
  UPDATE `tenant_counts` SET `database_bytes` = max(`database_bytes` + (300 + ifnull(length(CAST(NEW.`tool_call_id` AS BLOB)), 0) + ifnull(length(CAST(NEW.`tool_name` AS BLOB)), 0) + ifnull(length(CAST(NEW.`end_user_id` AS BLOB)), 0) + ifnull(length(CAST(NEW.`call` AS BLOB)), 0)) - (300 + ifnull(length(CAST(OLD.`tool_call_id` AS BLOB)), 0) + ifnull(length(CAST(OLD.`tool_name` AS BLOB)), 0) + ifnull(length(CAST(OLD.`end_user_id` AS BLOB)), 0) + ifnull(length(CAST(OLD.`call` AS BLOB)), 0)), 0) WHERE `tenant_id` = NEW.`tenant_id`;
END;
--> statement-breakpoint
CREATE TRIGGER `decisions_sized` AFTER INSERT ON `decisions` BEGIN
  UPDATE `tenant_counts` SET `database_bytes` = `database_bytes` + 400 + ifnull(length(CAST(NEW.`tool_call_id` AS BLOB)), 0) + ifnull(length(CAST(NEW.`tool_name` AS BLOB)), 0) + ifnull(length(CAST(NEW.`end_user_id` AS BLOB)), 0) + ifnull(length(CAST(NEW.`reason` AS BLOB)), 0) + ifnull(length(CAST(NEW.`rule` AS BLOB)), 0) WHERE `tenant_id` = NEW.`tenant_id`;
END;
--> statement-breakpoint
CREATE TRIGGER `decisions_unsized` AFTER DELETE ON `decisions` BEGIN
  UPDATE `tenant_counts` SET `database_bytes` = max(`database_bytes` - (400 + ifnull(length(CAST(OLD.`tool_call_id` AS BLOB)), 0) + ifnull(length(CAST(OLD.`tool_name` AS BLOB)), 0) + ifnull(length(CAST(OLD.`end_user_id` AS BLOB)), 0) + ifnull(length(CAST(OLD.`reason` AS BLOB)), 0) + ifnull(length(CAST(OLD.`rule` AS BLOB)), 0)), 0) WHERE `tenant_id` = OLD.`tenant_id`;
END;
--> statement-breakpoint
CREATE TRIGGER `usage_sized` AFTER INSERT ON `usage` BEGIN
  UPDATE `tenant_counts` SET `database_bytes` = `database_bytes` + 300 WHERE `tenant_id` = NEW.`tenant_id`;
END;
--> statement-breakpoint
CREATE TRIGGER `usage_unsized` AFTER DELETE ON `usage` BEGIN
  UPDATE `tenant_counts` SET `database_bytes` = max(`database_bytes` - (300), 0) WHERE `tenant_id` = OLD.`tenant_id`;
END;
--> statement-breakpoint
CREATE TRIGGER `usage_days_sized` AFTER INSERT ON `usage_days` BEGIN
  UPDATE `tenant_counts` SET `database_bytes` = `database_bytes` + 250 WHERE `tenant_id` = NEW.`tenant_id`;
END;
--> statement-breakpoint
CREATE TRIGGER `usage_days_unsized` AFTER DELETE ON `usage_days` BEGIN
  UPDATE `tenant_counts` SET `database_bytes` = max(`database_bytes` - (250), 0) WHERE `tenant_id` = OLD.`tenant_id`;
END;
--> statement-breakpoint
CREATE TRIGGER `usage_end_users_sized` AFTER INSERT ON `usage_end_users` BEGIN
  UPDATE `tenant_counts` SET `database_bytes` = `database_bytes` + 300 + ifnull(length(CAST(NEW.`end_user_id` AS BLOB)), 0) WHERE `tenant_id` = NEW.`tenant_id`;
END;
--> statement-breakpoint
CREATE TRIGGER `usage_end_users_unsized` AFTER DELETE ON `usage_end_users` BEGIN
  UPDATE `tenant_counts` SET `database_bytes` = max(`database_bytes` - (300 + ifnull(length(CAST(OLD.`end_user_id` AS BLOB)), 0)), 0) WHERE `tenant_id` = OLD.`tenant_id`;
END;
--> statement-breakpoint
CREATE TRIGGER `file_references_sized` AFTER INSERT ON `file_references` BEGIN
  UPDATE `tenant_counts` SET `database_bytes` = `database_bytes` + 200 WHERE `tenant_id` = NEW.`tenant_id`;
END;
--> statement-breakpoint
CREATE TRIGGER `file_references_unsized` AFTER DELETE ON `file_references` BEGIN
  UPDATE `tenant_counts` SET `database_bytes` = max(`database_bytes` - (200), 0) WHERE `tenant_id` = OLD.`tenant_id`;
END;
--> statement-breakpoint
CREATE TRIGGER `webhook_deliveries_sized` AFTER INSERT ON `webhook_deliveries` BEGIN
  UPDATE `tenant_counts` SET `database_bytes` = `database_bytes` + 500 + ifnull(length(CAST(NEW.`payload` AS BLOB)), 0) WHERE `tenant_id` = NEW.`tenant_id`;
  SELECT RAISE(ABORT, 'quota_exceeded database_bytes') FROM `tenant_counts` JOIN `tenants` ON `tenants`.`id` = `tenant_counts`.`tenant_id`
    WHERE NEW.`type` = 'webhook_endpoint.test' AND `tenant_counts`.`tenant_id` = NEW.`tenant_id` AND `tenant_counts`.`database_bytes` > coalesce(json_extract(`tenants`.`quotas`, '$.database_bytes'), 1000000000);
END;
--> statement-breakpoint
CREATE TRIGGER `webhook_deliveries_unsized` AFTER DELETE ON `webhook_deliveries` BEGIN
  UPDATE `tenant_counts` SET `database_bytes` = max(`database_bytes` - (500 + ifnull(length(CAST(OLD.`payload` AS BLOB)), 0)), 0) WHERE `tenant_id` = OLD.`tenant_id`;
END;
--> statement-breakpoint
CREATE TRIGGER `webhook_attempts_sized` AFTER INSERT ON `webhook_attempts` BEGIN
  UPDATE `tenant_counts` SET `database_bytes` = `database_bytes` + 200 + ifnull(length(CAST(NEW.`error` AS BLOB)), 0) WHERE `tenant_id` = NEW.`tenant_id`;
END;
--> statement-breakpoint
CREATE TRIGGER `webhook_attempts_unsized` AFTER DELETE ON `webhook_attempts` BEGIN
  UPDATE `tenant_counts` SET `database_bytes` = max(`database_bytes` - (200 + ifnull(length(CAST(OLD.`error` AS BLOB)), 0)), 0) WHERE `tenant_id` = OLD.`tenant_id`;
END;
--> statement-breakpoint
CREATE TRIGGER `webhook_announcements_sized` AFTER INSERT ON `webhook_announcements` BEGIN
  UPDATE `tenant_counts` SET `database_bytes` = `database_bytes` + 200 + ifnull(length(CAST(NEW.`tool_call_id` AS BLOB)), 0) WHERE `tenant_id` = NEW.`tenant_id`;
END;
--> statement-breakpoint
CREATE TRIGGER `webhook_announcements_unsized` AFTER DELETE ON `webhook_announcements` BEGIN
  UPDATE `tenant_counts` SET `database_bytes` = max(`database_bytes` - (200 + ifnull(length(CAST(OLD.`tool_call_id` AS BLOB)), 0)), 0) WHERE `tenant_id` = OLD.`tenant_id`;
END;
--> statement-breakpoint
DROP TRIGGER `sessions_counted`;
--> statement-breakpoint
DROP TRIGGER `sessions_uncounted`;
--> statement-breakpoint
CREATE TRIGGER `sessions_counted` AFTER INSERT ON `sessions` BEGIN
  UPDATE `tenant_counts` SET `sessions` = `sessions` + 1, `database_bytes` = `database_bytes` + 400 + ifnull(length(CAST(NEW.`end_user_id` AS BLOB)), 0) + ifnull(length(CAST(NEW.`metadata` AS BLOB)), 0) + ifnull(length(CAST(NEW.`forked_from` AS BLOB)), 0) WHERE `tenant_id` = NEW.`tenant_id`;
  SELECT RAISE(ABORT, 'quota_exceeded sessions') FROM `tenant_counts` JOIN `tenants` ON `tenants`.`id` = `tenant_counts`.`tenant_id`
    WHERE `tenant_counts`.`tenant_id` = NEW.`tenant_id` AND `tenant_counts`.`sessions` > json_extract(`tenants`.`quotas`, '$.sessions');
  SELECT RAISE(ABORT, 'quota_exceeded database_bytes') FROM `tenant_counts` JOIN `tenants` ON `tenants`.`id` = `tenant_counts`.`tenant_id`
    WHERE `tenant_counts`.`tenant_id` = NEW.`tenant_id` AND `tenant_counts`.`database_bytes` > coalesce(json_extract(`tenants`.`quotas`, '$.database_bytes'), 1000000000);
END;
--> statement-breakpoint
CREATE TRIGGER `sessions_uncounted` AFTER DELETE ON `sessions` BEGIN
  UPDATE `tenant_counts` SET `sessions` = max(`sessions` - 1, 0), `database_bytes` = max(`database_bytes` - (400 + ifnull(length(CAST(OLD.`end_user_id` AS BLOB)), 0) + ifnull(length(CAST(OLD.`metadata` AS BLOB)), 0) + ifnull(length(CAST(OLD.`forked_from` AS BLOB)), 0)), 0) WHERE `tenant_id` = OLD.`tenant_id`;
END;
--> statement-breakpoint
CREATE TRIGGER `sessions_resized` AFTER UPDATE OF `metadata` ON `sessions` WHEN NEW.`metadata` IS NOT OLD.`metadata` BEGIN
  UPDATE `tenant_counts` SET `database_bytes` = max(`database_bytes` + (400 + ifnull(length(CAST(NEW.`end_user_id` AS BLOB)), 0) + ifnull(length(CAST(NEW.`metadata` AS BLOB)), 0) + ifnull(length(CAST(NEW.`forked_from` AS BLOB)), 0)) - (400 + ifnull(length(CAST(OLD.`end_user_id` AS BLOB)), 0) + ifnull(length(CAST(OLD.`metadata` AS BLOB)), 0) + ifnull(length(CAST(OLD.`forked_from` AS BLOB)), 0)), 0) WHERE `tenant_id` = NEW.`tenant_id`;
  SELECT RAISE(ABORT, 'quota_exceeded database_bytes') FROM `tenant_counts` JOIN `tenants` ON `tenants`.`id` = `tenant_counts`.`tenant_id`
    WHERE 400 + ifnull(length(CAST(NEW.`end_user_id` AS BLOB)), 0) + ifnull(length(CAST(NEW.`metadata` AS BLOB)), 0) + ifnull(length(CAST(NEW.`forked_from` AS BLOB)), 0) > 400 + ifnull(length(CAST(OLD.`end_user_id` AS BLOB)), 0) + ifnull(length(CAST(OLD.`metadata` AS BLOB)), 0) + ifnull(length(CAST(OLD.`forked_from` AS BLOB)), 0) AND `tenant_counts`.`tenant_id` = NEW.`tenant_id` AND `tenant_counts`.`database_bytes` > coalesce(json_extract(`tenants`.`quotas`, '$.database_bytes'), 1000000000);
END;
--> statement-breakpoint
DROP TRIGGER `agents_counted`;
--> statement-breakpoint
DROP TRIGGER `agents_uncounted`;
--> statement-breakpoint
CREATE TRIGGER `agents_counted` AFTER INSERT ON `agents` BEGIN
  UPDATE `tenant_counts` SET `agents` = `agents` + (NEW.`deleted_at` IS NULL), `database_bytes` = `database_bytes` + 200 WHERE `tenant_id` = NEW.`tenant_id`;
  SELECT RAISE(ABORT, 'quota_exceeded agents') FROM `tenant_counts` JOIN `tenants` ON `tenants`.`id` = `tenant_counts`.`tenant_id`
    WHERE `tenant_counts`.`tenant_id` = NEW.`tenant_id` AND `tenant_counts`.`agents` > json_extract(`tenants`.`quotas`, '$.agents');
  SELECT RAISE(ABORT, 'quota_exceeded database_bytes') FROM `tenant_counts` JOIN `tenants` ON `tenants`.`id` = `tenant_counts`.`tenant_id`
    WHERE `tenant_counts`.`tenant_id` = NEW.`tenant_id` AND `tenant_counts`.`database_bytes` > coalesce(json_extract(`tenants`.`quotas`, '$.database_bytes'), 1000000000);
END;
--> statement-breakpoint
CREATE TRIGGER `agents_uncounted` AFTER DELETE ON `agents` BEGIN
  UPDATE `tenant_counts` SET `agents` = max(`agents` - (OLD.`deleted_at` IS NULL), 0), `database_bytes` = max(`database_bytes` - (200), 0) WHERE `tenant_id` = OLD.`tenant_id`;
END;
--> statement-breakpoint
DROP TRIGGER `api_keys_counted`;
--> statement-breakpoint
DROP TRIGGER `api_keys_uncounted`;
--> statement-breakpoint
CREATE TRIGGER `api_keys_counted` AFTER INSERT ON `api_keys` BEGIN
  UPDATE `tenant_counts` SET `api_keys` = `api_keys` + (NEW.`revoked_at` IS NULL), `database_bytes` = `database_bytes` + 400 + ifnull(length(CAST(NEW.`name` AS BLOB)), 0) WHERE `tenant_id` = NEW.`tenant_id`;
  SELECT RAISE(ABORT, 'quota_exceeded api_keys') FROM `tenant_counts` JOIN `tenants` ON `tenants`.`id` = `tenant_counts`.`tenant_id`
    WHERE `tenant_counts`.`tenant_id` = NEW.`tenant_id` AND `tenant_counts`.`api_keys` > json_extract(`tenants`.`quotas`, '$.api_keys');
  SELECT RAISE(ABORT, 'quota_exceeded database_bytes') FROM `tenant_counts` JOIN `tenants` ON `tenants`.`id` = `tenant_counts`.`tenant_id`
    WHERE `tenant_counts`.`tenant_id` = NEW.`tenant_id` AND `tenant_counts`.`database_bytes` > coalesce(json_extract(`tenants`.`quotas`, '$.database_bytes'), 1000000000);
END;
--> statement-breakpoint
CREATE TRIGGER `api_keys_uncounted` AFTER DELETE ON `api_keys` BEGIN
  UPDATE `tenant_counts` SET `api_keys` = max(`api_keys` - (OLD.`revoked_at` IS NULL), 0), `database_bytes` = max(`database_bytes` - (400 + ifnull(length(CAST(OLD.`name` AS BLOB)), 0)), 0) WHERE `tenant_id` = OLD.`tenant_id`;
END;
--> statement-breakpoint
DROP TRIGGER `credentials_counted`;
--> statement-breakpoint
DROP TRIGGER `credentials_uncounted`;
--> statement-breakpoint
CREATE TRIGGER `credentials_counted` AFTER INSERT ON `credentials` BEGIN
  UPDATE `tenant_counts` SET `credentials` = `credentials` + 1, `database_bytes` = `database_bytes` + 200 + ifnull(length(CAST(NEW.`name` AS BLOB)), 0) + ifnull(length(CAST(NEW.`sealed` AS BLOB)), 0) + ifnull(length(CAST(NEW.`allowed_hosts` AS BLOB)), 0) WHERE `tenant_id` = NEW.`tenant_id`;
  SELECT RAISE(ABORT, 'quota_exceeded credentials') FROM `tenant_counts` JOIN `tenants` ON `tenants`.`id` = `tenant_counts`.`tenant_id`
    WHERE `tenant_counts`.`tenant_id` = NEW.`tenant_id` AND `tenant_counts`.`credentials` > json_extract(`tenants`.`quotas`, '$.credentials');
  SELECT RAISE(ABORT, 'quota_exceeded database_bytes') FROM `tenant_counts` JOIN `tenants` ON `tenants`.`id` = `tenant_counts`.`tenant_id`
    WHERE `tenant_counts`.`tenant_id` = NEW.`tenant_id` AND `tenant_counts`.`database_bytes` > coalesce(json_extract(`tenants`.`quotas`, '$.database_bytes'), 1000000000);
END;
--> statement-breakpoint
CREATE TRIGGER `credentials_uncounted` AFTER DELETE ON `credentials` BEGIN
  UPDATE `tenant_counts` SET `credentials` = max(`credentials` - 1, 0), `database_bytes` = max(`database_bytes` - (200 + ifnull(length(CAST(OLD.`name` AS BLOB)), 0) + ifnull(length(CAST(OLD.`sealed` AS BLOB)), 0) + ifnull(length(CAST(OLD.`allowed_hosts` AS BLOB)), 0)), 0) WHERE `tenant_id` = OLD.`tenant_id`;
END;
--> statement-breakpoint
CREATE TRIGGER `credentials_resized` AFTER UPDATE OF `sealed`, `allowed_hosts` ON `credentials` WHEN NEW.`sealed` IS NOT OLD.`sealed` OR NEW.`allowed_hosts` IS NOT OLD.`allowed_hosts` BEGIN
  UPDATE `tenant_counts` SET `database_bytes` = max(`database_bytes` + (200 + ifnull(length(CAST(NEW.`name` AS BLOB)), 0) + ifnull(length(CAST(NEW.`sealed` AS BLOB)), 0) + ifnull(length(CAST(NEW.`allowed_hosts` AS BLOB)), 0)) - (200 + ifnull(length(CAST(OLD.`name` AS BLOB)), 0) + ifnull(length(CAST(OLD.`sealed` AS BLOB)), 0) + ifnull(length(CAST(OLD.`allowed_hosts` AS BLOB)), 0)), 0) WHERE `tenant_id` = NEW.`tenant_id`;
  SELECT RAISE(ABORT, 'quota_exceeded database_bytes') FROM `tenant_counts` JOIN `tenants` ON `tenants`.`id` = `tenant_counts`.`tenant_id`
    WHERE 200 + ifnull(length(CAST(NEW.`name` AS BLOB)), 0) + ifnull(length(CAST(NEW.`sealed` AS BLOB)), 0) + ifnull(length(CAST(NEW.`allowed_hosts` AS BLOB)), 0) > 200 + ifnull(length(CAST(OLD.`name` AS BLOB)), 0) + ifnull(length(CAST(OLD.`sealed` AS BLOB)), 0) + ifnull(length(CAST(OLD.`allowed_hosts` AS BLOB)), 0) AND `tenant_counts`.`tenant_id` = NEW.`tenant_id` AND `tenant_counts`.`database_bytes` > coalesce(json_extract(`tenants`.`quotas`, '$.database_bytes'), 1000000000);
END;
--> statement-breakpoint
DROP TRIGGER `webhook_endpoints_counted`;
--> statement-breakpoint
DROP TRIGGER `webhook_endpoints_uncounted`;
--> statement-breakpoint
CREATE TRIGGER `webhook_endpoints_counted` AFTER INSERT ON `webhook_endpoints` BEGIN
  UPDATE `tenant_counts` SET `webhook_endpoints` = `webhook_endpoints` + 1, `database_bytes` = `database_bytes` + 400 + ifnull(length(CAST(NEW.`url` AS BLOB)), 0) + ifnull(length(CAST(NEW.`description` AS BLOB)), 0) + ifnull(length(CAST(NEW.`events` AS BLOB)), 0) + ifnull(length(CAST(NEW.`sealed` AS BLOB)), 0) + ifnull(length(CAST(NEW.`old_sealed` AS BLOB)), 0) WHERE `tenant_id` = NEW.`tenant_id`;
  SELECT RAISE(ABORT, 'quota_exceeded webhook_endpoints') FROM `tenant_counts` JOIN `tenants` ON `tenants`.`id` = `tenant_counts`.`tenant_id`
    WHERE `tenant_counts`.`tenant_id` = NEW.`tenant_id` AND `tenant_counts`.`webhook_endpoints` > json_extract(`tenants`.`quotas`, '$.webhook_endpoints');
  SELECT RAISE(ABORT, 'quota_exceeded database_bytes') FROM `tenant_counts` JOIN `tenants` ON `tenants`.`id` = `tenant_counts`.`tenant_id`
    WHERE `tenant_counts`.`tenant_id` = NEW.`tenant_id` AND `tenant_counts`.`database_bytes` > coalesce(json_extract(`tenants`.`quotas`, '$.database_bytes'), 1000000000);
END;
--> statement-breakpoint
CREATE TRIGGER `webhook_endpoints_uncounted` AFTER DELETE ON `webhook_endpoints` BEGIN
  UPDATE `tenant_counts` SET `webhook_endpoints` = max(`webhook_endpoints` - 1, 0), `database_bytes` = max(`database_bytes` - (400 + ifnull(length(CAST(OLD.`url` AS BLOB)), 0) + ifnull(length(CAST(OLD.`description` AS BLOB)), 0) + ifnull(length(CAST(OLD.`events` AS BLOB)), 0) + ifnull(length(CAST(OLD.`sealed` AS BLOB)), 0) + ifnull(length(CAST(OLD.`old_sealed` AS BLOB)), 0)), 0) WHERE `tenant_id` = OLD.`tenant_id`;
END;
--> statement-breakpoint
CREATE TRIGGER `webhook_endpoints_resized` AFTER UPDATE OF `url`, `description`, `events`, `sealed`, `old_sealed` ON `webhook_endpoints` WHEN NEW.`url` IS NOT OLD.`url` OR NEW.`description` IS NOT OLD.`description` OR NEW.`events` IS NOT OLD.`events` OR NEW.`sealed` IS NOT OLD.`sealed` OR NEW.`old_sealed` IS NOT OLD.`old_sealed` BEGIN
  UPDATE `tenant_counts` SET `database_bytes` = max(`database_bytes` + (400 + ifnull(length(CAST(NEW.`url` AS BLOB)), 0) + ifnull(length(CAST(NEW.`description` AS BLOB)), 0) + ifnull(length(CAST(NEW.`events` AS BLOB)), 0) + ifnull(length(CAST(NEW.`sealed` AS BLOB)), 0) + ifnull(length(CAST(NEW.`old_sealed` AS BLOB)), 0)) - (400 + ifnull(length(CAST(OLD.`url` AS BLOB)), 0) + ifnull(length(CAST(OLD.`description` AS BLOB)), 0) + ifnull(length(CAST(OLD.`events` AS BLOB)), 0) + ifnull(length(CAST(OLD.`sealed` AS BLOB)), 0) + ifnull(length(CAST(OLD.`old_sealed` AS BLOB)), 0)), 0) WHERE `tenant_id` = NEW.`tenant_id`;
  SELECT RAISE(ABORT, 'quota_exceeded database_bytes') FROM `tenant_counts` JOIN `tenants` ON `tenants`.`id` = `tenant_counts`.`tenant_id`
    WHERE 400 + ifnull(length(CAST(NEW.`url` AS BLOB)), 0) + ifnull(length(CAST(NEW.`description` AS BLOB)), 0) + ifnull(length(CAST(NEW.`events` AS BLOB)), 0) + ifnull(length(CAST(NEW.`sealed` AS BLOB)), 0) + ifnull(length(CAST(NEW.`old_sealed` AS BLOB)), 0) > 400 + ifnull(length(CAST(OLD.`url` AS BLOB)), 0) + ifnull(length(CAST(OLD.`description` AS BLOB)), 0) + ifnull(length(CAST(OLD.`events` AS BLOB)), 0) + ifnull(length(CAST(OLD.`sealed` AS BLOB)), 0) + ifnull(length(CAST(OLD.`old_sealed` AS BLOB)), 0) AND `tenant_counts`.`tenant_id` = NEW.`tenant_id` AND `tenant_counts`.`database_bytes` > coalesce(json_extract(`tenants`.`quotas`, '$.database_bytes'), 1000000000);
END;
--> statement-breakpoint
DROP TRIGGER `inbound_endpoints_counted`;
--> statement-breakpoint
DROP TRIGGER `inbound_endpoints_uncounted`;
--> statement-breakpoint
CREATE TRIGGER `inbound_endpoints_counted` AFTER INSERT ON `inbound_endpoints` BEGIN
  UPDATE `tenant_counts` SET `inbound_endpoints` = `inbound_endpoints` + 1, `database_bytes` = `database_bytes` + 200 + ifnull(length(CAST(NEW.`name` AS BLOB)), 0) + ifnull(length(CAST(NEW.`sealed` AS BLOB)), 0) + ifnull(length(CAST(NEW.`old_sealed` AS BLOB)), 0) WHERE `tenant_id` = NEW.`tenant_id`;
  SELECT RAISE(ABORT, 'quota_exceeded inbound_endpoints') FROM `tenant_counts` JOIN `tenants` ON `tenants`.`id` = `tenant_counts`.`tenant_id`
    WHERE `tenant_counts`.`tenant_id` = NEW.`tenant_id` AND `tenant_counts`.`inbound_endpoints` > json_extract(`tenants`.`quotas`, '$.inbound_endpoints');
  SELECT RAISE(ABORT, 'quota_exceeded database_bytes') FROM `tenant_counts` JOIN `tenants` ON `tenants`.`id` = `tenant_counts`.`tenant_id`
    WHERE `tenant_counts`.`tenant_id` = NEW.`tenant_id` AND `tenant_counts`.`database_bytes` > coalesce(json_extract(`tenants`.`quotas`, '$.database_bytes'), 1000000000);
END;
--> statement-breakpoint
CREATE TRIGGER `inbound_endpoints_uncounted` AFTER DELETE ON `inbound_endpoints` BEGIN
  UPDATE `tenant_counts` SET `inbound_endpoints` = max(`inbound_endpoints` - 1, 0), `database_bytes` = max(`database_bytes` - (200 + ifnull(length(CAST(OLD.`name` AS BLOB)), 0) + ifnull(length(CAST(OLD.`sealed` AS BLOB)), 0) + ifnull(length(CAST(OLD.`old_sealed` AS BLOB)), 0)), 0) WHERE `tenant_id` = OLD.`tenant_id`;
END;
--> statement-breakpoint
CREATE TRIGGER `inbound_endpoints_resized` AFTER UPDATE OF `sealed`, `old_sealed` ON `inbound_endpoints` WHEN NEW.`sealed` IS NOT OLD.`sealed` OR NEW.`old_sealed` IS NOT OLD.`old_sealed` BEGIN
  UPDATE `tenant_counts` SET `database_bytes` = max(`database_bytes` + (200 + ifnull(length(CAST(NEW.`name` AS BLOB)), 0) + ifnull(length(CAST(NEW.`sealed` AS BLOB)), 0) + ifnull(length(CAST(NEW.`old_sealed` AS BLOB)), 0)) - (200 + ifnull(length(CAST(OLD.`name` AS BLOB)), 0) + ifnull(length(CAST(OLD.`sealed` AS BLOB)), 0) + ifnull(length(CAST(OLD.`old_sealed` AS BLOB)), 0)), 0) WHERE `tenant_id` = NEW.`tenant_id`;
  SELECT RAISE(ABORT, 'quota_exceeded database_bytes') FROM `tenant_counts` JOIN `tenants` ON `tenants`.`id` = `tenant_counts`.`tenant_id`
    WHERE 200 + ifnull(length(CAST(NEW.`name` AS BLOB)), 0) + ifnull(length(CAST(NEW.`sealed` AS BLOB)), 0) + ifnull(length(CAST(NEW.`old_sealed` AS BLOB)), 0) > 200 + ifnull(length(CAST(OLD.`name` AS BLOB)), 0) + ifnull(length(CAST(OLD.`sealed` AS BLOB)), 0) + ifnull(length(CAST(OLD.`old_sealed` AS BLOB)), 0) AND `tenant_counts`.`tenant_id` = NEW.`tenant_id` AND `tenant_counts`.`database_bytes` > coalesce(json_extract(`tenants`.`quotas`, '$.database_bytes'), 1000000000);
END;
--> statement-breakpoint
DROP TRIGGER `skills_counted`;
--> statement-breakpoint
DROP TRIGGER `skills_uncounted`;
--> statement-breakpoint
CREATE TRIGGER `skills_counted` AFTER INSERT ON `skills` BEGIN
  UPDATE `tenant_counts` SET `skills` = `skills` + 1, `database_bytes` = `database_bytes` + 200 + ifnull(length(CAST(NEW.`name` AS BLOB)), 0) + ifnull(length(CAST(NEW.`description` AS BLOB)), 0) WHERE `tenant_id` = NEW.`tenant_id`;
  SELECT RAISE(ABORT, 'quota_exceeded skills') FROM `tenant_counts` JOIN `tenants` ON `tenants`.`id` = `tenant_counts`.`tenant_id`
    WHERE `tenant_counts`.`tenant_id` = NEW.`tenant_id` AND `tenant_counts`.`skills` > coalesce(json_extract(`tenants`.`quotas`, '$.skills'), 1000);
  SELECT RAISE(ABORT, 'quota_exceeded database_bytes') FROM `tenant_counts` JOIN `tenants` ON `tenants`.`id` = `tenant_counts`.`tenant_id`
    WHERE `tenant_counts`.`tenant_id` = NEW.`tenant_id` AND `tenant_counts`.`database_bytes` > coalesce(json_extract(`tenants`.`quotas`, '$.database_bytes'), 1000000000);
END;
--> statement-breakpoint
CREATE TRIGGER `skills_uncounted` AFTER DELETE ON `skills` BEGIN
  UPDATE `tenant_counts` SET `skills` = max(`skills` - 1, 0), `database_bytes` = max(`database_bytes` - (200 + ifnull(length(CAST(OLD.`name` AS BLOB)), 0) + ifnull(length(CAST(OLD.`description` AS BLOB)), 0)), 0) WHERE `tenant_id` = OLD.`tenant_id`;
END;
--> statement-breakpoint
CREATE TRIGGER `skills_resized` AFTER UPDATE OF `name`, `description` ON `skills` WHEN NEW.`name` IS NOT OLD.`name` OR NEW.`description` IS NOT OLD.`description` BEGIN
  UPDATE `tenant_counts` SET `database_bytes` = max(`database_bytes` + (200 + ifnull(length(CAST(NEW.`name` AS BLOB)), 0) + ifnull(length(CAST(NEW.`description` AS BLOB)), 0)) - (200 + ifnull(length(CAST(OLD.`name` AS BLOB)), 0) + ifnull(length(CAST(OLD.`description` AS BLOB)), 0)), 0) WHERE `tenant_id` = NEW.`tenant_id`;
  SELECT RAISE(ABORT, 'quota_exceeded database_bytes') FROM `tenant_counts` JOIN `tenants` ON `tenants`.`id` = `tenant_counts`.`tenant_id`
    WHERE 200 + ifnull(length(CAST(NEW.`name` AS BLOB)), 0) + ifnull(length(CAST(NEW.`description` AS BLOB)), 0) > 200 + ifnull(length(CAST(OLD.`name` AS BLOB)), 0) + ifnull(length(CAST(OLD.`description` AS BLOB)), 0) AND `tenant_counts`.`tenant_id` = NEW.`tenant_id` AND `tenant_counts`.`database_bytes` > coalesce(json_extract(`tenants`.`quotas`, '$.database_bytes'), 1000000000);
END;
--> statement-breakpoint
DROP TRIGGER `mcp_servers_counted`;
--> statement-breakpoint
DROP TRIGGER `mcp_servers_uncounted`;
--> statement-breakpoint
CREATE TRIGGER `mcp_servers_counted` AFTER INSERT ON `mcp_servers` BEGIN
  UPDATE `tenant_counts` SET `mcp_servers` = `mcp_servers` + 1, `database_bytes` = `database_bytes` + 300 + ifnull(length(CAST(NEW.`definition` AS BLOB)), 0) + ifnull(length(CAST(NEW.`credential_ids` AS BLOB)), 0) WHERE `tenant_id` = NEW.`tenant_id`;
  SELECT RAISE(ABORT, 'quota_exceeded mcp_servers') FROM `tenant_counts` JOIN `tenants` ON `tenants`.`id` = `tenant_counts`.`tenant_id`
    WHERE `tenant_counts`.`tenant_id` = NEW.`tenant_id` AND `tenant_counts`.`mcp_servers` > coalesce(json_extract(`tenants`.`quotas`, '$.mcp_servers'), 100);
  SELECT RAISE(ABORT, 'quota_exceeded database_bytes') FROM `tenant_counts` JOIN `tenants` ON `tenants`.`id` = `tenant_counts`.`tenant_id`
    WHERE `tenant_counts`.`tenant_id` = NEW.`tenant_id` AND `tenant_counts`.`database_bytes` > coalesce(json_extract(`tenants`.`quotas`, '$.database_bytes'), 1000000000);
END;
--> statement-breakpoint
CREATE TRIGGER `mcp_servers_uncounted` AFTER DELETE ON `mcp_servers` BEGIN
  UPDATE `tenant_counts` SET `mcp_servers` = max(`mcp_servers` - 1, 0), `database_bytes` = max(`database_bytes` - (300 + ifnull(length(CAST(OLD.`definition` AS BLOB)), 0) + ifnull(length(CAST(OLD.`credential_ids` AS BLOB)), 0)), 0) WHERE `tenant_id` = OLD.`tenant_id`;
  DELETE FROM `mcp_catalogues` WHERE `server_id` = OLD.`id`;
END;
--> statement-breakpoint
CREATE TRIGGER `mcp_servers_resized` AFTER UPDATE OF `definition`, `credential_ids` ON `mcp_servers` WHEN NEW.`definition` IS NOT OLD.`definition` OR NEW.`credential_ids` IS NOT OLD.`credential_ids` BEGIN
  UPDATE `tenant_counts` SET `database_bytes` = max(`database_bytes` + (300 + ifnull(length(CAST(NEW.`definition` AS BLOB)), 0) + ifnull(length(CAST(NEW.`credential_ids` AS BLOB)), 0)) - (300 + ifnull(length(CAST(OLD.`definition` AS BLOB)), 0) + ifnull(length(CAST(OLD.`credential_ids` AS BLOB)), 0)), 0) WHERE `tenant_id` = NEW.`tenant_id`;
  SELECT RAISE(ABORT, 'quota_exceeded database_bytes') FROM `tenant_counts` JOIN `tenants` ON `tenants`.`id` = `tenant_counts`.`tenant_id`
    WHERE 300 + ifnull(length(CAST(NEW.`definition` AS BLOB)), 0) + ifnull(length(CAST(NEW.`credential_ids` AS BLOB)), 0) > 300 + ifnull(length(CAST(OLD.`definition` AS BLOB)), 0) + ifnull(length(CAST(OLD.`credential_ids` AS BLOB)), 0) AND `tenant_counts`.`tenant_id` = NEW.`tenant_id` AND `tenant_counts`.`database_bytes` > coalesce(json_extract(`tenants`.`quotas`, '$.database_bytes'), 1000000000);
END;
--> statement-breakpoint
DROP TRIGGER `agents_ended`;
--> statement-breakpoint
CREATE TRIGGER `agents_ended` AFTER UPDATE OF `deleted_at` ON `agents` WHEN OLD.`deleted_at` IS NULL AND NEW.`deleted_at` IS NOT NULL BEGIN
  UPDATE `tenant_counts` SET `agents` = max(`agents` - 1, 0) WHERE `tenant_id` = OLD.`tenant_id`;
END;
--> statement-breakpoint
DROP TRIGGER `api_keys_ended`;
--> statement-breakpoint
CREATE TRIGGER `api_keys_ended` AFTER UPDATE OF `revoked_at` ON `api_keys` WHEN OLD.`revoked_at` IS NULL AND NEW.`revoked_at` IS NOT NULL BEGIN
  UPDATE `tenant_counts` SET `api_keys` = max(`api_keys` - 1, 0) WHERE `tenant_id` = OLD.`tenant_id`;
END;
--> statement-breakpoint
DROP TRIGGER `agent_versions_uncounted`;
--> statement-breakpoint
DROP TRIGGER `session_states_counted`;
--> statement-breakpoint
DROP TRIGGER `session_states_recounted`;
--> statement-breakpoint
DROP TRIGGER `session_states_uncounted`;
--> statement-breakpoint
DROP TRIGGER `files_recounted`;
--> statement-breakpoint
DROP TRIGGER `files_uncounted`;
--> statement-breakpoint
CREATE TRIGGER `agent_versions_uncounted` AFTER DELETE ON `agent_versions` BEGIN
  UPDATE `tenant_counts` SET `agent_versions` = max(`agent_versions` - 1, 0), `stored_bytes` = max(`stored_bytes` - length(CAST(OLD.`definition` AS BLOB)), 0) WHERE `tenant_id` = OLD.`tenant_id`;
END;
--> statement-breakpoint
CREATE TRIGGER `session_states_counted` AFTER INSERT ON `session_states` BEGIN
  UPDATE `tenant_counts` SET `stored_bytes` = `stored_bytes` + NEW.`bytes`, `database_bytes` = `database_bytes` + 200 WHERE `tenant_id` = NEW.`tenant_id`;
END;
--> statement-breakpoint
CREATE TRIGGER `session_states_recounted` AFTER UPDATE OF `bytes` ON `session_states` WHEN NEW.`bytes` <> OLD.`bytes` BEGIN
  UPDATE `tenant_counts` SET `stored_bytes` = max(`stored_bytes` + NEW.`bytes` - OLD.`bytes`, 0) WHERE `tenant_id` = NEW.`tenant_id`;
END;
--> statement-breakpoint
CREATE TRIGGER `session_states_uncounted` AFTER DELETE ON `session_states` BEGIN
  UPDATE `tenant_counts` SET `stored_bytes` = max(`stored_bytes` - OLD.`bytes`, 0), `database_bytes` = max(`database_bytes` - (200), 0) WHERE `tenant_id` = OLD.`tenant_id`;
END;
--> statement-breakpoint
CREATE TRIGGER `files_recounted` AFTER UPDATE OF `bytes` ON `files` WHEN NEW.`bytes` <> OLD.`bytes` BEGIN
  UPDATE `tenant_counts` SET `stored_bytes` = max(`stored_bytes` + max(NEW.`bytes`, 4096) - max(OLD.`bytes`, 4096), 0) WHERE `tenant_id` = NEW.`tenant_id`;
  SELECT RAISE(ABORT, 'quota_exceeded stored_bytes') FROM `tenant_counts` JOIN `tenants` ON `tenants`.`id` = `tenant_counts`.`tenant_id`
    WHERE NEW.`bytes` > OLD.`bytes` AND `tenant_counts`.`tenant_id` = NEW.`tenant_id` AND `tenant_counts`.`stored_bytes` > json_extract(`tenants`.`quotas`, '$.stored_bytes');
END;
--> statement-breakpoint
CREATE TRIGGER `files_uncounted` AFTER DELETE ON `files` BEGIN
  UPDATE `tenant_counts` SET `stored_bytes` = max(`stored_bytes` - max(OLD.`bytes`, 4096), 0) WHERE `tenant_id` = OLD.`tenant_id`;
END;
--> statement-breakpoint
UPDATE `tenant_counts` SET `database_bytes` = `database_bytes` + `found`.`bytes` FROM (
  SELECT `tenant_id`, sum(300 + ifnull(length(CAST(`path` AS BLOB)), 0) + ifnull(length(CAST(`key` AS BLOB)), 0) + ifnull(length(CAST(`answer` AS BLOB)), 0)) AS `bytes` FROM `idempotency_keys` GROUP BY `tenant_id`) AS `found`
  WHERE `found`.`tenant_id` = `tenant_counts`.`tenant_id`;
--> statement-breakpoint
UPDATE `tenant_counts` SET `database_bytes` = `database_bytes` + `found`.`bytes` FROM (
  SELECT `tenant_id`, sum(300 + ifnull(length(CAST(`target_id` AS BLOB)), 0) + ifnull(length(CAST(`before` AS BLOB)), 0) + ifnull(length(CAST(`after` AS BLOB)), 0) + ifnull(length(CAST(`address` AS BLOB)), 0)) AS `bytes` FROM `audit_entries` GROUP BY `tenant_id`) AS `found`
  WHERE `found`.`tenant_id` = `tenant_counts`.`tenant_id`;
--> statement-breakpoint
UPDATE `tenant_counts` SET `database_bytes` = `database_bytes` + `found`.`bytes` FROM (
  SELECT `tenant_id`, sum(500 + ifnull(length(CAST(`end_user_id` AS BLOB)), 0) + ifnull(length(CAST(`bound_to` AS BLOB)), 0) + ifnull(length(CAST(`issuer` AS BLOB)), 0) + ifnull(length(CAST(`scope` AS BLOB)), 0) + ifnull(length(CAST(`failure` AS BLOB)), 0) + ifnull(length(CAST(`grant` AS BLOB)), 0) + ifnull(length(CAST(`attempt` AS BLOB)), 0) + ifnull(length(CAST(`session_ids` AS BLOB)), 0)) AS `bytes` FROM `connections` GROUP BY `tenant_id`) AS `found`
  WHERE `found`.`tenant_id` = `tenant_counts`.`tenant_id`;
--> statement-breakpoint
UPDATE `tenant_counts` SET `database_bytes` = `database_bytes` + `found`.`bytes` FROM (
  SELECT `tenant_id`, sum(200 + ifnull(length(CAST(`issuer` AS BLOB)), 0) + ifnull(length(CAST(`client` AS BLOB)), 0)) AS `bytes` FROM `oauth_clients` GROUP BY `tenant_id`) AS `found`
  WHERE `found`.`tenant_id` = `tenant_counts`.`tenant_id`;
--> statement-breakpoint
UPDATE `tenant_counts` SET `database_bytes` = `database_bytes` + `found`.`bytes` FROM (
  SELECT `tenant_id`, sum(200 + ifnull(length(CAST(`end_user_id` AS BLOB)), 0) + ifnull(length(CAST(`dialect` AS BLOB)), 0) + ifnull(length(CAST(`tools` AS BLOB)), 0)) AS `bytes` FROM `mcp_catalogues` GROUP BY `tenant_id`) AS `found`
  WHERE `found`.`tenant_id` = `tenant_counts`.`tenant_id`;
--> statement-breakpoint
UPDATE `tenant_counts` SET `database_bytes` = `database_bytes` + `found`.`bytes` FROM (
  SELECT `tenant_id`, sum(500 + ifnull(length(CAST(`scopes` AS BLOB)), 0)) AS `bytes` FROM `console_sessions` GROUP BY `tenant_id`) AS `found`
  WHERE `found`.`tenant_id` = `tenant_counts`.`tenant_id`;
--> statement-breakpoint
UPDATE `tenant_counts` SET `database_bytes` = `database_bytes` + `found`.`bytes` FROM (
  SELECT `tenant_id`, sum(200 + ifnull(length(CAST(`webhook_id` AS BLOB)), 0)) AS `bytes` FROM `inbound_messages` GROUP BY `tenant_id`) AS `found`
  WHERE `found`.`tenant_id` = `tenant_counts`.`tenant_id`;
--> statement-breakpoint
UPDATE `tenant_counts` SET `database_bytes` = `database_bytes` + `found`.`bytes` FROM (
  SELECT `tenant_id`, sum(200 + ifnull(length(CAST(`description` AS BLOB)), 0) + ifnull(length(CAST(`files` AS BLOB)), 0)) AS `bytes` FROM `skill_versions` GROUP BY `tenant_id`) AS `found`
  WHERE `found`.`tenant_id` = `tenant_counts`.`tenant_id`;
--> statement-breakpoint
UPDATE `tenant_counts` SET `database_bytes` = `database_bytes` + `found`.`bytes` FROM (
  SELECT `tenant_id`, sum(300 + ifnull(length(CAST(`tool_call_id` AS BLOB)), 0) + ifnull(length(CAST(`tool_name` AS BLOB)), 0) + ifnull(length(CAST(`end_user_id` AS BLOB)), 0) + ifnull(length(CAST(`call` AS BLOB)), 0)) AS `bytes` FROM `pending_calls` GROUP BY `tenant_id`) AS `found`
  WHERE `found`.`tenant_id` = `tenant_counts`.`tenant_id`;
--> statement-breakpoint
UPDATE `tenant_counts` SET `database_bytes` = `database_bytes` + `found`.`bytes` FROM (
  SELECT `tenant_id`, sum(400 + ifnull(length(CAST(`tool_call_id` AS BLOB)), 0) + ifnull(length(CAST(`tool_name` AS BLOB)), 0) + ifnull(length(CAST(`end_user_id` AS BLOB)), 0) + ifnull(length(CAST(`reason` AS BLOB)), 0) + ifnull(length(CAST(`rule` AS BLOB)), 0)) AS `bytes` FROM `decisions` GROUP BY `tenant_id`) AS `found`
  WHERE `found`.`tenant_id` = `tenant_counts`.`tenant_id`;
--> statement-breakpoint
UPDATE `tenant_counts` SET `database_bytes` = `database_bytes` + `found`.`bytes` FROM (
  SELECT `tenant_id`, sum(300) AS `bytes` FROM `usage` GROUP BY `tenant_id`) AS `found`
  WHERE `found`.`tenant_id` = `tenant_counts`.`tenant_id`;
--> statement-breakpoint
UPDATE `tenant_counts` SET `database_bytes` = `database_bytes` + `found`.`bytes` FROM (
  SELECT `tenant_id`, sum(250) AS `bytes` FROM `usage_days` GROUP BY `tenant_id`) AS `found`
  WHERE `found`.`tenant_id` = `tenant_counts`.`tenant_id`;
--> statement-breakpoint
UPDATE `tenant_counts` SET `database_bytes` = `database_bytes` + `found`.`bytes` FROM (
  SELECT `tenant_id`, sum(300 + ifnull(length(CAST(`end_user_id` AS BLOB)), 0)) AS `bytes` FROM `usage_end_users` GROUP BY `tenant_id`) AS `found`
  WHERE `found`.`tenant_id` = `tenant_counts`.`tenant_id`;
--> statement-breakpoint
UPDATE `tenant_counts` SET `database_bytes` = `database_bytes` + `found`.`bytes` FROM (
  SELECT `tenant_id`, sum(200) AS `bytes` FROM `file_references` GROUP BY `tenant_id`) AS `found`
  WHERE `found`.`tenant_id` = `tenant_counts`.`tenant_id`;
--> statement-breakpoint
UPDATE `tenant_counts` SET `database_bytes` = `database_bytes` + `found`.`bytes` FROM (
  SELECT `tenant_id`, sum(500 + ifnull(length(CAST(`payload` AS BLOB)), 0)) AS `bytes` FROM `webhook_deliveries` GROUP BY `tenant_id`) AS `found`
  WHERE `found`.`tenant_id` = `tenant_counts`.`tenant_id`;
--> statement-breakpoint
UPDATE `tenant_counts` SET `database_bytes` = `database_bytes` + `found`.`bytes` FROM (
  SELECT `tenant_id`, sum(200 + ifnull(length(CAST(`error` AS BLOB)), 0)) AS `bytes` FROM `webhook_attempts` GROUP BY `tenant_id`) AS `found`
  WHERE `found`.`tenant_id` = `tenant_counts`.`tenant_id`;
--> statement-breakpoint
UPDATE `tenant_counts` SET `database_bytes` = `database_bytes` + `found`.`bytes` FROM (
  SELECT `tenant_id`, sum(200 + ifnull(length(CAST(`tool_call_id` AS BLOB)), 0)) AS `bytes` FROM `webhook_announcements` GROUP BY `tenant_id`) AS `found`
  WHERE `found`.`tenant_id` = `tenant_counts`.`tenant_id`;
--> statement-breakpoint
UPDATE `tenant_counts` SET `database_bytes` = `database_bytes` + `found`.`bytes` FROM (
  SELECT `tenant_id`, sum(400 + ifnull(length(CAST(`end_user_id` AS BLOB)), 0) + ifnull(length(CAST(`metadata` AS BLOB)), 0) + ifnull(length(CAST(`forked_from` AS BLOB)), 0)) AS `bytes` FROM `sessions` GROUP BY `tenant_id`) AS `found`
  WHERE `found`.`tenant_id` = `tenant_counts`.`tenant_id`;
--> statement-breakpoint
UPDATE `tenant_counts` SET `database_bytes` = `database_bytes` + `found`.`bytes` FROM (
  SELECT `tenant_id`, sum(200) AS `bytes` FROM `agents` GROUP BY `tenant_id`) AS `found`
  WHERE `found`.`tenant_id` = `tenant_counts`.`tenant_id`;
--> statement-breakpoint
UPDATE `tenant_counts` SET `database_bytes` = `database_bytes` + `found`.`bytes` FROM (
  SELECT `tenant_id`, sum(400 + ifnull(length(CAST(`name` AS BLOB)), 0)) AS `bytes` FROM `api_keys` GROUP BY `tenant_id`) AS `found`
  WHERE `found`.`tenant_id` = `tenant_counts`.`tenant_id`;
--> statement-breakpoint
UPDATE `tenant_counts` SET `database_bytes` = `database_bytes` + `found`.`bytes` FROM (
  SELECT `tenant_id`, sum(200 + ifnull(length(CAST(`name` AS BLOB)), 0) + ifnull(length(CAST(`sealed` AS BLOB)), 0) + ifnull(length(CAST(`allowed_hosts` AS BLOB)), 0)) AS `bytes` FROM `credentials` GROUP BY `tenant_id`) AS `found`
  WHERE `found`.`tenant_id` = `tenant_counts`.`tenant_id`;
--> statement-breakpoint
UPDATE `tenant_counts` SET `database_bytes` = `database_bytes` + `found`.`bytes` FROM (
  SELECT `tenant_id`, sum(400 + ifnull(length(CAST(`url` AS BLOB)), 0) + ifnull(length(CAST(`description` AS BLOB)), 0) + ifnull(length(CAST(`events` AS BLOB)), 0) + ifnull(length(CAST(`sealed` AS BLOB)), 0) + ifnull(length(CAST(`old_sealed` AS BLOB)), 0)) AS `bytes` FROM `webhook_endpoints` GROUP BY `tenant_id`) AS `found`
  WHERE `found`.`tenant_id` = `tenant_counts`.`tenant_id`;
--> statement-breakpoint
UPDATE `tenant_counts` SET `database_bytes` = `database_bytes` + `found`.`bytes` FROM (
  SELECT `tenant_id`, sum(200 + ifnull(length(CAST(`name` AS BLOB)), 0) + ifnull(length(CAST(`sealed` AS BLOB)), 0) + ifnull(length(CAST(`old_sealed` AS BLOB)), 0)) AS `bytes` FROM `inbound_endpoints` GROUP BY `tenant_id`) AS `found`
  WHERE `found`.`tenant_id` = `tenant_counts`.`tenant_id`;
--> statement-breakpoint
UPDATE `tenant_counts` SET `database_bytes` = `database_bytes` + `found`.`bytes` FROM (
  SELECT `tenant_id`, sum(200 + ifnull(length(CAST(`name` AS BLOB)), 0) + ifnull(length(CAST(`description` AS BLOB)), 0)) AS `bytes` FROM `skills` GROUP BY `tenant_id`) AS `found`
  WHERE `found`.`tenant_id` = `tenant_counts`.`tenant_id`;
--> statement-breakpoint
UPDATE `tenant_counts` SET `database_bytes` = `database_bytes` + `found`.`bytes` FROM (
  SELECT `tenant_id`, sum(300 + ifnull(length(CAST(`definition` AS BLOB)), 0) + ifnull(length(CAST(`credential_ids` AS BLOB)), 0)) AS `bytes` FROM `mcp_servers` GROUP BY `tenant_id`) AS `found`
  WHERE `found`.`tenant_id` = `tenant_counts`.`tenant_id`;
--> statement-breakpoint
UPDATE `tenant_counts` SET `database_bytes` = `database_bytes` + `found`.`bytes` FROM (
  SELECT `tenant_id`, sum(200) AS `bytes` FROM `session_states` GROUP BY `tenant_id`) AS `found`
  WHERE `found`.`tenant_id` = `tenant_counts`.`tenant_id`;

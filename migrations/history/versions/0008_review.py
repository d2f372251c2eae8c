"""What reviewers need: cases with words to search in, reviews, staff, exports, holds, and the audit."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None

WORDS = r"""
to_tsvector('simple',
  regexp_replace(masked, '([\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af])', ' \1 ', 'g'))
""".strip()
REFUSAL = (
    """
CREATE FUNCTION carecite_refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN RAISE EXCEPTION 'the audit is append-only' USING ERRCODE = 'insufficient_privilege'; END $$
""",
    """
CREATE TRIGGER audit_is_append_only BEFORE UPDATE OR DELETE ON audit
FOR EACH ROW EXECUTE FUNCTION carecite_refuse_change()
""",
    """
CREATE TRIGGER audit_is_never_emptied BEFORE TRUNCATE ON audit
FOR EACH STATEMENT EXECUTE FUNCTION carecite_refuse_change()
""",
)
CASES = """
INSERT INTO cases (run_id, workspace_id, conversation_id, person_id, platform, asked_at, method, language,
                   triage, abstained, degraded, feedback, state, cause, queued_at, seconds)
SELECT r.run_id, i.workspace_id, i.conversation_id, i.person_id, coalesce(w.platform, 'local'), r.asked_at,
  r.ran, r.language, r.triage, r.abstained, coalesce(r.answer -> 'degraded', '[]') <> '[]', f.opinion,
  CASE WHEN r.triage <> 'none' OR f.opinion <> 'helpful' THEN 'open' END,
  CASE WHEN r.triage <> 'none' THEN 'red_flag' WHEN f.opinion <> 'helpful' THEN 'feedback' END,
  CASE WHEN r.triage <> 'none' OR f.opinion <> 'helpful' THEN r.asked_at END,
  extract(epoch FROM i.finished_at - i.received_at)
FROM runs r LEFT JOIN inbox i ON i.run_id = r.run_id LEFT JOIN workspaces w ON w.id = i.workspace_id
LEFT JOIN (
  SELECT run_id, CASE WHEN bool_and(helpful) THEN 'helpful' WHEN bool_or(helpful) THEN 'mixed'
    ELSE 'unhelpful' END AS opinion FROM feedback GROUP BY run_id
) f ON f.run_id = r.run_id
ON CONFLICT DO NOTHING
"""


def upgrade() -> None:
    op.create_table(
        "audit",
        sa.Column("id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("actor", sa.Text(), nullable=False),
        sa.Column("role", sa.Text(), nullable=False),
        sa.Column("action", sa.Text(), nullable=False),
        sa.Column("subject_kind", sa.Text(), nullable=False),
        sa.Column("subject_id", sa.Text(), nullable=True),
        sa.Column("workspace_id", sa.BigInteger(), nullable=True),
        sa.Column("request_id", sa.Text(), nullable=True),
        sa.Column("refused", sa.Boolean(), nullable=False),
        sa.Column("reason_hash", sa.LargeBinary(), nullable=True),
        sa.Column("hash", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_audit")),
    )
    op.create_index("ix_audit_action", "audit", ["action", "id"], unique=False)
    op.create_index("ix_audit_actor", "audit", ["actor", "id"], unique=False)
    op.create_index("ix_audit_subject", "audit", ["subject_kind", "subject_id", "id"], unique=False)
    op.create_table(
        "audit_reasons",
        sa.Column("audit_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("salt", sa.LargeBinary(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("audit_id", name=op.f("pk_audit_reasons")),
    )
    op.create_table(
        "exports",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=True), nullable=False),
        sa.Column("account_id", sa.BigInteger(), nullable=True),
        sa.Column("format", sa.Text(), nullable=False),
        sa.Column("rows", sa.Integer(), nullable=False),
        sa.Column("made_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_exports")),
    )
    op.create_table(
        "failed_logins",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=True), nullable=False),
        sa.Column("hash", sa.LargeBinary(), nullable=False),
        sa.Column("failed_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_failed_logins")),
    )
    op.create_index("ix_failed_logins_failed_at", "failed_logins", ["failed_at"], unique=False)
    op.create_index("ix_failed_logins_hash", "failed_logins", ["hash", "failed_at"], unique=False)
    op.create_table(
        "staff",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=True), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("login", sa.Text(), nullable=True),
        sa.Column("password", sa.Text(), nullable=True),
        sa.Column("sealed_totp", sa.LargeBinary(), nullable=True),
        sa.Column("totp_step", sa.BigInteger(), nullable=True),
        sa.Column("oidc_hash", sa.LargeBinary(), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.Column("disabled_at", sa.DateTime(timezone=True), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_staff")),
        sa.UniqueConstraint("login", name=op.f("uq_staff_login")),
        sa.UniqueConstraint("oidc_hash", name=op.f("uq_staff_oidc_hash")),
    )
    op.create_table(
        "grants",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=True), nullable=False),
        sa.Column("account_id", sa.BigInteger(), nullable=False),
        sa.Column("role", sa.Text(), nullable=False),
        sa.Column("workspace_id", sa.BigInteger(), nullable=True),
        sa.CheckConstraint("role IN ('reviewer', 'lead', 'auditor', 'admin')", name=op.f("ck_grants_role")),
        sa.ForeignKeyConstraint(["account_id"], ["staff.id"], name=op.f("fk_grants_account_id")),
        sa.ForeignKeyConstraint(
            ["workspace_id"], ["workspaces.id"], name=op.f("fk_grants_workspace_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_grants")),
        sa.UniqueConstraint(
            "account_id",
            "role",
            "workspace_id",
            name=op.f("uq_grants_account_id_role_workspace_id"),
            postgresql_nulls_not_distinct=True,
        ),
    )
    op.create_table(
        "saved_filters",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=True), nullable=False),
        sa.Column("account_id", sa.BigInteger(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("filters", postgresql.JSONB(astext_type=sa.Text()), nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["staff.id"], name=op.f("fk_saved_filters_account_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_saved_filters")),
        sa.UniqueConstraint("account_id", "name", name=op.f("uq_saved_filters_account_id_name")),
    )
    op.create_table(
        "staff_sessions",
        sa.Column("hash", sa.LargeBinary(), nullable=False),
        sa.Column("account_id", sa.BigInteger(), nullable=False),
        sa.Column("started_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.Column("seen_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.Column("ends_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["staff.id"], name=op.f("fk_staff_sessions_account_id")),
        sa.PrimaryKeyConstraint("hash", name=op.f("pk_staff_sessions")),
    )
    op.create_index(op.f("ix_staff_sessions_account_id"), "staff_sessions", ["account_id"], unique=False)
    op.create_index(op.f("ix_staff_sessions_ends_at"), "staff_sessions", ["ends_at"], unique=False)
    op.create_table(
        "cases",
        sa.Column("run_id", sa.Text(), nullable=False),
        sa.Column("workspace_id", sa.BigInteger(), nullable=True),
        sa.Column("conversation_id", sa.BigInteger(), nullable=True),
        sa.Column("person_id", sa.BigInteger(), nullable=True),
        sa.Column("platform", sa.Text(), nullable=False),
        sa.Column("asked_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("method", sa.Text(), nullable=False),
        sa.Column("language", sa.Text(), nullable=False),
        sa.Column("triage", sa.Text(), nullable=False),
        sa.Column("abstained", sa.Boolean(), nullable=False),
        sa.Column("degraded", sa.Boolean(), nullable=False),
        sa.Column("feedback", sa.Text(), nullable=True),
        sa.Column("state", sa.Text(), nullable=True),
        sa.Column("cause", sa.Text(), nullable=True),
        sa.Column("verdict", sa.Text(), nullable=True),
        sa.Column("severity", sa.Text(), nullable=True),
        sa.Column("assigned_to", sa.BigInteger(), nullable=True),
        sa.Column("queued_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("reviewed_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("seconds", sa.Double(), nullable=True),
        sa.Column("masked", sa.Text(), nullable=True),
        sa.Column("words", postgresql.TSVECTOR(), sa.Computed(WORDS, persisted=True), nullable=True),
        sa.CheckConstraint(
            "cause IN ('red_flag', 'feedback', 'retracted', 'asked')", name=op.f("ck_cases_cause")
        ),
        sa.CheckConstraint("feedback IN ('helpful', 'mixed', 'unhelpful')", name=op.f("ck_cases_feedback")),
        sa.CheckConstraint("platform IN ('slack', 'telegram', 'local')", name=op.f("ck_cases_platform")),
        sa.CheckConstraint(
            "severity IN ('none', 'minor', 'major', 'critical')", name=op.f("ck_cases_severity")
        ),
        sa.CheckConstraint(
            "state IN ('open', 'assigned', 'submitted', 'disputed', 'confirmed')", name=op.f("ck_cases_state")
        ),
        sa.CheckConstraint(
            "verdict IN ('correct', 'incomplete', 'unsupported', 'unsafe')", name=op.f("ck_cases_verdict")
        ),
        sa.ForeignKeyConstraint(["assigned_to"], ["staff.id"], name=op.f("fk_cases_assigned_to")),
        sa.ForeignKeyConstraint(
            ["conversation_id"],
            ["conversations.id"],
            name=op.f("fk_cases_conversation_id"),
            ondelete="SET NULL",
        ),
        sa.ForeignKeyConstraint(
            ["person_id"], ["people.id"], name=op.f("fk_cases_person_id"), ondelete="SET NULL"
        ),
        sa.ForeignKeyConstraint(
            ["run_id"], ["runs.run_id"], name=op.f("fk_cases_run_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(["workspace_id"], ["workspaces.id"], name=op.f("fk_cases_workspace_id")),
        sa.PrimaryKeyConstraint("run_id", name=op.f("pk_cases")),
    )
    op.create_index(
        "ix_cases_abstained",
        "cases",
        ["asked_at", "run_id"],
        unique=False,
        postgresql_where=sa.text("abstained"),
    )
    op.create_index("ix_cases_asked_at", "cases", ["asked_at", "run_id"], unique=False)
    op.create_index(
        "ix_cases_assigned_to",
        "cases",
        ["assigned_to", "asked_at", "run_id"],
        unique=False,
        postgresql_where=sa.text("assigned_to IS NOT NULL"),
    )
    op.create_index(
        "ix_cases_conversation_id",
        "cases",
        ["conversation_id", "asked_at", "run_id"],
        unique=False,
        postgresql_where=sa.text("conversation_id IS NOT NULL"),
    )
    op.create_index(
        "ix_cases_degraded",
        "cases",
        ["asked_at", "run_id"],
        unique=False,
        postgresql_where=sa.text("degraded"),
    )
    op.create_index(
        "ix_cases_feedback",
        "cases",
        ["feedback", "asked_at", "run_id"],
        unique=False,
        postgresql_where=sa.text("feedback IS NOT NULL"),
    )
    op.create_index("ix_cases_language", "cases", ["language", "asked_at", "run_id"], unique=False)
    op.create_index("ix_cases_method", "cases", ["method", "asked_at", "run_id"], unique=False)
    op.create_index(
        "ix_cases_person_id",
        "cases",
        ["person_id"],
        unique=False,
        postgresql_where=sa.text("person_id IS NOT NULL"),
    )
    op.create_index("ix_cases_platform", "cases", ["platform", "asked_at", "run_id"], unique=False)
    op.create_index(
        "ix_cases_state",
        "cases",
        ["state", "asked_at", "run_id"],
        unique=False,
        postgresql_where=sa.text("state IS NOT NULL"),
    )
    op.create_index(
        "ix_cases_triage",
        "cases",
        ["triage", "asked_at", "run_id"],
        unique=False,
        postgresql_where=sa.text("triage <> 'none'"),
    )
    op.create_index(
        "ix_cases_unread", "cases", ["run_id"], unique=False, postgresql_where=sa.text("masked IS NULL")
    )
    op.create_index(
        "ix_cases_verdict",
        "cases",
        ["verdict", "asked_at", "run_id"],
        unique=False,
        postgresql_where=sa.text("verdict IS NOT NULL"),
    )
    op.create_index("ix_cases_words", "cases", ["words"], unique=False, postgresql_using="gin")
    op.create_index("ix_cases_workspace_id", "cases", ["workspace_id", "asked_at", "run_id"], unique=False)
    op.create_table(
        "holds",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=True), nullable=False),
        sa.Column("workspace_id", sa.BigInteger(), nullable=False),
        sa.Column("conversation_id", sa.BigInteger(), nullable=True),
        sa.Column("placed_by", sa.BigInteger(), nullable=True),
        sa.Column("placed_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.Column("lifted_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(
            ["conversation_id"],
            ["conversations.id"],
            name=op.f("fk_holds_conversation_id"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(["workspace_id"], ["workspaces.id"], name=op.f("fk_holds_workspace_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_holds")),
    )
    op.create_index("ix_holds_conversation_id", "holds", ["conversation_id"], unique=False)
    op.create_index(
        "ix_holds_workspace_id",
        "holds",
        ["workspace_id"],
        unique=False,
        postgresql_where=sa.text("lifted_at IS NULL"),
    )
    op.create_table(
        "exported_cases",
        sa.Column("run_id", sa.Text(), nullable=False),
        sa.Column("export_id", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["export_id"], ["exports.id"], name=op.f("fk_exported_cases_export_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["run_id"], ["cases.run_id"], name=op.f("fk_exported_cases_run_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("run_id", "export_id", name=op.f("pk_exported_cases")),
    )
    op.create_index(op.f("ix_exported_cases_export_id"), "exported_cases", ["export_id"], unique=False)
    op.create_table(
        "reviews",
        sa.Column("run_id", sa.Text(), nullable=False),
        sa.Column("account_id", sa.BigInteger(), nullable=False),
        sa.Column("draft", sa.Boolean(), nullable=False),
        sa.Column("verdict", sa.Text(), nullable=True),
        sa.Column("severity", sa.Text(), nullable=True),
        sa.Column("corrected", sa.Text(), nullable=True),
        sa.Column("note", sa.Text(), nullable=True),
        sa.Column("changed_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.CheckConstraint(
            "severity IN ('none', 'minor', 'major', 'critical')", name=op.f("ck_reviews_severity")
        ),
        sa.CheckConstraint(
            "verdict IN ('correct', 'incomplete', 'unsupported', 'unsafe')", name=op.f("ck_reviews_verdict")
        ),
        sa.CheckConstraint("draft OR verdict IS NOT NULL", name=op.f("ck_reviews_submitted_with_a_verdict")),
        sa.ForeignKeyConstraint(["account_id"], ["staff.id"], name=op.f("fk_reviews_account_id")),
        sa.ForeignKeyConstraint(
            ["run_id"], ["cases.run_id"], name=op.f("fk_reviews_run_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("run_id", "account_id", name=op.f("pk_reviews")),
    )
    op.create_index(op.f("ix_reviews_account_id"), "reviews", ["account_id"], unique=False)
    op.add_column("workspaces", sa.Column("kept_days", sa.Integer(), nullable=True))

    for statement in REFUSAL:
        op.execute(statement)
    op.execute(CASES)


def downgrade() -> None:
    op.drop_column("workspaces", "kept_days")
    for table in (
        "reviews",
        "exported_cases",
        "holds",
        "cases",
        "staff_sessions",
        "saved_filters",
        "grants",
        "staff",
        "failed_logins",
        "exports",
        "audit_reasons",
        "audit",
    ):
        op.drop_table(table)
    op.execute("DROP FUNCTION carecite_refuse_change()")

"""What chat needs to outlive a crash: people, conversations, what came in and what goes out."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "workspaces",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=True), nullable=False),
        sa.Column("platform", sa.Text(), nullable=False),
        sa.Column("hash", sa.LargeBinary(), nullable=False),
        sa.Column("sealed_id", sa.LargeBinary(), nullable=True),
        sa.Column("sealed_tokens", sa.LargeBinary(), nullable=True),
        sa.Column("update_offset", sa.BigInteger(), nullable=True),
        sa.Column("free_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.Column(
            "installed_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False
        ),
        sa.Column("removed_at", sa.DateTime(timezone=True), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_workspaces")),
        sa.UniqueConstraint("platform", "hash", name=op.f("uq_workspaces_platform_hash")),
    )
    op.create_table(
        "erasures",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=True), nullable=False),
        sa.Column("workspace_id", sa.BigInteger(), nullable=False),
        sa.Column("scope", sa.Text(), nullable=False),
        sa.Column("counts", postgresql.JSONB(astext_type=sa.Text()), nullable=False),
        sa.Column("erased_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.ForeignKeyConstraint(["workspace_id"], ["workspaces.id"], name=op.f("fk_erasures_workspace_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_erasures")),
    )
    op.create_table(
        "lanes",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=True), nullable=False),
        sa.Column("workspace_id", sa.BigInteger(), nullable=False),
        sa.Column("platform", sa.Text(), nullable=False),
        sa.Column("hash", sa.LargeBinary(), nullable=False),
        sa.Column("shared", sa.Boolean(), nullable=False),
        sa.Column("free_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.Column("due_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["workspace_id"], ["workspaces.id"], name=op.f("fk_lanes_workspace_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_lanes")),
        sa.UniqueConstraint("workspace_id", "hash", name=op.f("uq_lanes_workspace_id_hash")),
    )
    op.create_index(
        "ix_lanes_due",
        "lanes",
        ["platform", "due_at"],
        unique=False,
        postgresql_where=sa.text("due_at IS NOT NULL"),
    )
    op.create_index(
        "ix_lanes_due_there",
        "lanes",
        ["workspace_id", "due_at"],
        unique=False,
        postgresql_where=sa.text("due_at IS NOT NULL"),
    )
    op.create_table(
        "people",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=True), nullable=False),
        sa.Column("workspace_id", sa.BigInteger(), nullable=False),
        sa.Column("hash", sa.LargeBinary(), nullable=False),
        sa.Column("sealed_id", sa.LargeBinary(), nullable=False),
        sa.Column("consent", sa.Text(), nullable=False),
        sa.Column("consent_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("language", sa.Text(), nullable=True),
        sa.Column("first_seen", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.CheckConstraint("consent IN ('unasked', 'given', 'withdrawn')", name=op.f("ck_people_consent")),
        sa.ForeignKeyConstraint(["workspace_id"], ["workspaces.id"], name=op.f("fk_people_workspace_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_people")),
        sa.UniqueConstraint("workspace_id", "hash", name=op.f("uq_people_workspace_id_hash")),
    )
    op.create_table(
        "tallies",
        sa.Column("workspace_id", sa.BigInteger(), nullable=False),
        sa.Column("day", sa.Date(), nullable=False),
        sa.Column("what", sa.Text(), nullable=False),
        sa.Column("n", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["workspace_id"], ["workspaces.id"], name=op.f("fk_tallies_workspace_id")),
        sa.PrimaryKeyConstraint("workspace_id", "day", "what", name=op.f("pk_tallies")),
    )
    op.create_table(
        "conversations",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=True), nullable=False),
        sa.Column("workspace_id", sa.BigInteger(), nullable=False),
        sa.Column("lane_id", sa.BigInteger(), nullable=False),
        sa.Column("hash", sa.LargeBinary(), nullable=False),
        sa.Column("sealed_place", sa.LargeBinary(), nullable=False),
        sa.Column("opened_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.Column("last_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.Column("closed_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["lane_id"], ["lanes.id"], name=op.f("fk_conversations_lane_id")),
        sa.ForeignKeyConstraint(
            ["workspace_id"], ["workspaces.id"], name=op.f("fk_conversations_workspace_id")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_conversations")),
    )
    op.create_index("ix_conversations_lane_id", "conversations", ["lane_id"], unique=False)
    op.create_index(
        "ix_conversations_open",
        "conversations",
        ["workspace_id", "hash"],
        unique=True,
        postgresql_where=sa.text("closed_at IS NULL"),
    )
    op.create_table(
        "person_days",
        sa.Column("person_id", sa.BigInteger(), nullable=False),
        sa.Column("day", sa.Date(), nullable=False),
        sa.Column("questions", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["person_id"], ["people.id"], name=op.f("fk_person_days_person_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("person_id", "day", name=op.f("pk_person_days")),
    )
    op.create_table(
        "inbox",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=True), nullable=False),
        sa.Column("workspace_id", sa.BigInteger(), nullable=False),
        sa.Column("key_hash", sa.LargeBinary(), nullable=False),
        sa.Column("message_hash", sa.LargeBinary(), nullable=True),
        sa.Column("sealed_message", sa.LargeBinary(), nullable=True),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("state", sa.Text(), nullable=True),
        sa.Column("reason", sa.Text(), nullable=True),
        sa.Column("person_id", sa.BigInteger(), nullable=True),
        sa.Column("conversation_id", sa.BigInteger(), nullable=True),
        sa.Column("text", sa.Text(), nullable=True),
        sa.Column("edited_text", sa.Text(), nullable=True),
        sa.Column("revision", sa.Integer(), server_default="0", nullable=False),
        sa.Column("attempt", sa.Integer(), server_default="0", nullable=False),
        sa.Column("job_id", sa.BigInteger(), nullable=True),
        sa.Column("run_id", sa.Text(), nullable=True),
        sa.Column("received_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.Column("finished_at", sa.DateTime(timezone=True), nullable=True),
        sa.CheckConstraint(
            "(kind = 'question') = (state IS NOT NULL)", name=op.f("ck_inbox_questions_have_a_state")
        ),
        sa.CheckConstraint(
            "kind = 'question' AND state <> 'withdrawn' OR coalesce(text, edited_text) IS NULL",
            name=op.f("ck_inbox_words_of_questions"),
        ),
        sa.CheckConstraint(
            "kind IN ('question', 'waiting', 'refused', 'handled', 'parked')", name=op.f("ck_inbox_kind")
        ),
        sa.CheckConstraint(
            "state IN ('received', 'working', 'answered', 'abstained', 'apologised', 'withdrawn')",
            name=op.f("ck_inbox_state"),
        ),
        sa.ForeignKeyConstraint(
            ["conversation_id"], ["conversations.id"], name=op.f("fk_inbox_conversation_id")
        ),
        sa.ForeignKeyConstraint(["person_id"], ["people.id"], name=op.f("fk_inbox_person_id")),
        sa.ForeignKeyConstraint(
            ["run_id"], ["runs.run_id"], name=op.f("fk_inbox_run_id"), ondelete="SET NULL"
        ),
        sa.ForeignKeyConstraint(["workspace_id"], ["workspaces.id"], name=op.f("fk_inbox_workspace_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_inbox")),
        sa.UniqueConstraint("workspace_id", "key_hash", name=op.f("uq_inbox_workspace_id_key_hash")),
        sa.UniqueConstraint("workspace_id", "message_hash", name=op.f("uq_inbox_workspace_id_message_hash")),
    )
    op.create_index("ix_inbox_conversation_id", "inbox", ["conversation_id", "id"], unique=False)
    op.create_index("ix_inbox_person_id", "inbox", ["person_id", "id"], unique=False)
    op.create_index("ix_inbox_received_at", "inbox", ["received_at"], unique=False)
    op.create_index(
        "ix_inbox_run_id",
        "inbox",
        ["run_id"],
        unique=False,
        postgresql_where=sa.text("run_id IS NOT NULL"),
    )
    op.create_index(
        "ix_inbox_unfinished",
        "inbox",
        ["received_at"],
        unique=False,
        postgresql_where=sa.text("state IN ('received', 'working')"),
    )
    op.create_table(
        "outbox",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=True), nullable=False),
        sa.Column("inbox_id", sa.BigInteger(), nullable=False),
        sa.Column("lane_id", sa.BigInteger(), nullable=False),
        sa.Column("conversation_id", sa.BigInteger(), nullable=True),
        sa.Column("sealed_place", sa.LargeBinary(), nullable=True),
        sa.Column("part", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("target", sa.Text(), nullable=True),
        sa.Column("body", postgresql.JSONB(astext_type=sa.Text()), nullable=True),
        sa.Column("state", sa.Text(), server_default="pending", nullable=False),
        sa.Column("attempts", sa.Integer(), server_default="0", nullable=False),
        sa.Column("last_error", sa.Text(), nullable=True),
        sa.Column("sealed_message", sa.LargeBinary(), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.Column("sent_at", sa.DateTime(timezone=True), nullable=True),
        sa.CheckConstraint("kind IN ('post', 'edit', 'file')", name=op.f("ck_outbox_kind")),
        sa.CheckConstraint("state IN ('pending', 'sending', 'sent', 'failed')", name=op.f("ck_outbox_state")),
        sa.CheckConstraint(
            "(conversation_id IS NULL) <> (sealed_place IS NULL)", name=op.f("ck_outbox_place")
        ),
        sa.ForeignKeyConstraint(
            ["conversation_id"], ["conversations.id"], name=op.f("fk_outbox_conversation_id")
        ),
        sa.ForeignKeyConstraint(
            ["inbox_id"], ["inbox.id"], name=op.f("fk_outbox_inbox_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(["lane_id"], ["lanes.id"], name=op.f("fk_outbox_lane_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_outbox")),
        sa.UniqueConstraint("inbox_id", "part", name=op.f("uq_outbox_inbox_id_part")),
    )
    op.create_index("ix_outbox_conversation_id", "outbox", ["conversation_id"], unique=False)
    op.create_index("ix_outbox_lane_id", "outbox", ["lane_id"], unique=False)
    op.create_index(
        "ix_outbox_waiting",
        "outbox",
        ["lane_id", "id"],
        unique=False,
        postgresql_where=sa.text("state IN ('pending', 'sending')"),
    )


def downgrade() -> None:
    for table in (
        "outbox",
        "inbox",
        "person_days",
        "conversations",
        "tallies",
        "people",
        "lanes",
        "erasures",
    ):
        op.drop_table(table)
    op.drop_table("workspaces")

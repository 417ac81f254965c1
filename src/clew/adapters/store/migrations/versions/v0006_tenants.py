"""What the doors keep, made beside the rest; tenants kept apart by PostgreSQL itself."""

from alembic import op

from clew.adapters.store.door_tables import METADATA
from clew.adapters.store.tenancy import enforce

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    connection = op.get_bind()
    METADATA.create_all(connection, checkfirst=True)
    if connection.dialect.name == "postgresql":
        enforce(connection)

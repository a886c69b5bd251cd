/// All commands, in the order that the help shows them.
package enum CommandTable {
    package static let commands: [CommandSpec] =
        TaskCommands.specs + [MoveCommand.spec, ListCommand.spec] + ProjectCommands.specs
        + AccountCommands.specs + SubscriptionCommands.specs
        + [QueryCommand.spec, WatchCommand.spec, ImportCommand.spec, ExportCommand.spec]
        + ObjectCommands.specs + SchemaCommands.specs
        + [StatusCommand.spec, SyncCommand.spec, ReceiptsCommand.spec]
        + DrawerCommands.specs + [HistoryCommand.spec, UndoCommand.spec]
}

"""stub"""
def reply_links(sheet, mask, intents, policy, run, emit):
    raise NotImplementedError

import DraftCompiler
import DraftModel
import ExportPlan
import Synchronization

/// The plan of an export, which is made once, when it is first asked for.
final class LatePlan: Sendable {
    private let compiler: Compiler
    private let composition: Composition
    private let draft: Draft
    private let made = Mutex<RenderPlan?>(nil)

    init(_ compiler: Compiler, _ composition: Composition, _ draft: Draft) {
        self.compiler = compiler
        self.composition = composition
        self.draft = draft
    }

    var plan: RenderPlan {
        made.withLock { made in
            let plan = made ?? compiler.plan(composition, draft)
            made = plan
            return plan
        }
    }
}

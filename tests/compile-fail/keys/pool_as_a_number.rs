use toolwright::tool;

/// Render a scene.
#[tool(pool = 3)]
async fn render(scene: String) -> String {
    scene
}

fn main() {}
